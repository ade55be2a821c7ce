import { describe, expect, it } from 'vitest';
import type { AskAgainResult } from '../../../app/approvals/approvals.ts';
import { approvalCard } from '../../../handlers/views/index.ts';
import type { World } from '../parts.ts';
import { cardPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { APPROVAL, approved, everyState, GRANT, pending, ZOE } from '../views/records.ts';

onStage();

async function said(press: Readonly<Record<string, unknown>>): Promise<string> {
  await door.press(press);
  await api.until(() => api.responses.length > 0);
  return String(api.responses[0]?.text);
}

describe('Stop trusting', () => {
  it('Stop trusting ends exactly that trust, for every presser, and its card alone answers (SURF-1)', async () => {
    await start({});

    await door.press(cardPress({ action: 'trust_end', value: GRANT, by: ZOE }));
    await door.slack.stop();

    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ZOE }]);
    expect(api.responses).toEqual([]);
  });

  it('Stop trusting on a card tells which decision gives the trust, which may not be written yet', async () => {
    await start({});
    const trusted =
      everyState().find((one) => one.status === 'trusted' && one.outcome.type === 'not-applied') ?? pending();
    const { blocks } = approvalCard(trusted);
    const { block_id: block = '' } = blocks.find((one) => JSON.stringify(one).includes('"trust_end"')) ?? {};

    await door.press(cardPress({ action: 'trust_end', value: GRANT, by: ZOE, block }));
    await door.slack.stop();

    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ZOE, approval: trusted.id }]);
  });

  it('Stop trusting is answered privately where its card cannot answer (SURF-1)', async () => {
    await start({ shown: false });

    const words = await said(cardPress({ action: 'trust_end', value: GRANT, by: ZOE }));
    await door.slack.stop();

    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ZOE }]);
    expect(words).toBe('Trust ended: the next call asks again.');
    // The process that changed the record paints the card.
    expect(api.to('chat.update')).toEqual([]);
  });

  it.each<[string, World['revoke'], string, RegExp]>([
    ['had ended before', async () => 'already', GRANT, /had ended already/],
    ['is unknown', async () => 'unknown', GRANT, /do not know this trust/],
    ['could not be ended', async () => Promise.reject(new Error('away')), GRANT, /not recorded/],
    ['is no trust', async () => 'revoked', APPROVAL, /do not know this trust/],
  ])('Stop trusting says so when the trust %s (P3)', async (_what, revoke, value, words) => {
    await start(revoke === undefined ? {} : { revoke });

    expect(await said(cardPress({ action: 'trust_end', value }))).toMatch(words);
  });
});

describe('Ask again', () => {
  const expired = everyState().find(({ status }) => status === 'expired') ?? pending();

  it.each<[string, AskAgainResult, RegExp]>([
    ['was asked before', { type: 'asked-before', approval: expired }, /asked again already/],
    ['belongs to another person', { type: 'not-yours', approval: expired }, /^Only <@U0ANN00001>, whose request/],
    ['was decided', { type: 'not-expired', approval: approved() }, /already approved/],
    ['is unknown', { type: 'unknown' }, /do not know this request/],
    ['was not recorded', { type: 'failed' }, /not recorded/],
  ])('Ask again says that the request %s, and decides nothing (P3, P61)', async (_what, again, words) => {
    await start({ again });

    expect(await said(cardPress({ action: 'approval_again', by: ZOE }))).toMatch(words);
    expect(bot.asked.again).toEqual([{ approval: APPROVAL, by: { user: ZOE, team: 'T0DEMO0001' } }]);
    expect(bot.asked.presses).toEqual([]);
  });

  it.each([
    ['may not ask', 'no', /only from full members/],
    ['is not known to Slack just now', 'unknown', /could not tell me who you are/],
  ] as const)('Ask again asks nothing in the name of a person who %s (T14)', async (_who, mayAsk, words) => {
    await start({ mayAsk, found: expired });

    expect(await said(cardPress({ action: 'approval_again', by: ZOE }))).toMatch(words);
    expect(bot.asked.again).toEqual([]);
  });
});
