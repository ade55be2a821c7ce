import { describe, expect, it } from 'vitest';
import { type Approval, ApprovalId, type StandingTrust, TrustId } from '../../../app/records/index.ts';
import { TEAM } from '../../support/slack.ts';
import type { World } from '../parts.ts';
import { command } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { doubt } from '../views/doubts.ts';
import { buttonTexts, expectToFit, ofType, textOf } from '../views/fits.ts';
import { grantId } from '../views/homes.ts';
import { ANN, BEN, GRANT, guarded, pending, THREAD } from '../views/records.ts';

onStage();

async function typed(name: string, text: string, world: World = {}): Promise<string> {
  await start(world);
  const reply = await door.form(command(name, text));
  expect(reply.status).toBe(200);
  await api.until(() => api.responses.length > 0);
  expect(api.responses).toHaveLength(1);
  expect(api.responses[0]).toMatchObject({ response_type: 'ephemeral' });
  return textOf(api.responses[0]?.blocks);
}

const trust: StandingTrust = {
  id: GRANT,
  team: TEAM,
  tool: 'restart_service',
  definition: 'd',
  offer: {
    line: 'restart_service with any input, in this channel, for 1 hour',
    match: 'any',
    scope: 'channel',
    forMs: 3_600_000,
  },
  thread: THREAD,
  requester: ANN,
  by: BEN,
  givenAtMs: Date.UTC(2026, 10, 21, 9),
  untilMs: Date.UTC(2026, 10, 21, 10),
  uses: 2,
};

describe('a slash command', () => {
  it('/trusted lists trust with the line of the card, who gave it, since when and until when (P52)', async () => {
    const answer = await typed('/trusted', '', { trusts: [trust] });

    expect(answer).toContain('restart_service with any input, in this channel, for 1 hour');
    expect(answer).toMatch(/Given by <@U0BEN00001> <!date\^1795251600\^.*until <!date\^1795255200\^.*used 2 times/);
    expect(bot.asked.places).toEqual([{ team: TEAM, channel: THREAD.channel, user: ANN }]);
  });

  it('a word that is not understood is repeated so far that the help below it can be read (SURF-5)', async () => {
    const answer = await typed('/trust', `restart_service ${'&'.repeat(4_000)}`);

    expect(answer).toMatch(/^I do not understand “(&amp;)+…(&amp;)+” here\./);
    expect(answer).toContain('try again');
  });

  it('/trusted lists what its writer trusts in threads, and where, because a command names no thread (P52)', async () => {
    const offer = {
      ...trust.offer,
      line: 'deploy with any input, in this thread, for 1 hour',
      scope: 'thread',
    } as const;
    const inThread = { ...trust, id: TrustId.parse(`${GRANT.slice(0, -2)}77`), tool: 'deploy', offer, by: ANN };
    const answer = await typed('/trusted', '', { trusts: [trust], given: [trust, inThread] });

    expect(answer).toContain('(2)');
    expect(answer).toContain(offer.line);
    expect(answer).toMatch(/In <#C[A-Z0-9]+>.*\|Go to the thread>/);
  });

  it('/trusted says that nothing is trusted', async () => {
    expect(await typed('/trusted', '')).toMatch(
      /^Nothing is trusted in this channel, for you, or by you elsewhere\. Each tool that needs a yes asks first\./,
    );
  });

  it('/trusted lists the first twenty, and says how many more there are', async () => {
    const answer = await typed('/trusted', '', {
      trusts: Array.from({ length: 25 }, (_, at) => ({
        ...trust,
        id: TrustId.parse(`${GRANT.slice(0, -2)}${10 + at}`),
      })),
    });

    expect(answer).toContain('and 5 more');
    expectToFit({
      text: String(api.responses[0]?.text),
      blocks: Array.isArray(api.responses[0]?.blocks) ? api.responses[0].blocks : [],
    });
  });

  it('/trust gives trust for the channel', async () => {
    const answer = await typed('/trust', 'restart_service channel 1d', { give: { type: 'given', trust } });

    expect(answer).toMatch(/^Trusted: restart_service with any input, in this channel, for 1 hour/);
    expect(bot.asked.wishes).toEqual([
      {
        tool: 'restart_service',
        delivery: '1.2.trigger',
        scope: 'channel',
        forMs: 86_400_000,
        thread: { team: TEAM, channel: THREAD.channel, ts: '0' },
        by: ANN,
      },
    ]);
  });

  it('/trust that counted is never answered as if it had failed, when its answer reaches its writer in no way (SURF-5)', async () => {
    await start({ give: { type: 'given', trust } });
    api.refuseResponses();
    api.next('chat.postEphemeral', { type: 'json', body: { ok: false, error: 'user_not_in_channel' } });
    await door.form(command('/trust', 'restart_service channel 1d'));
    await api.until(() => bot.logged.some(({ message }) => /could not be (?:told|answered)/.test(message)));

    expect(bot.asked.wishes).toHaveLength(1);
    expect(bot.logged.map(({ message }) => message)).not.toContain('A delivery could not be answered');
    expect(JSON.stringify([api.calls, api.responses])).not.toContain('Something went wrong');
  });

  it.each([
    ['a person of another workspace', { team_id: 'T0OTHER001' }, /another workspace/],
    ['a guest', { team_id: TEAM, is_restricted: true }, /full member/],
    ['a bot', { team_id: TEAM, is_bot: true }, /full member/],
    ['a person Slack does not know', {}, /could not find out/],
  ])('/trust takes no trust from %s (T7)', async (_who, user, why) => {
    api.next('users.info', { type: 'json', body: { ok: true, user } });

    expect(await typed('/trust', 'restart_service 1d', { give: { type: 'given', trust } })).toMatch(why);
    expect(bot.asked.wishes).toEqual([]);
  });

  it.each([
    ['requester', ['requester']],
    ['channel', ['requester', 'channel']],
  ] as const)('/trust without a place gives what its writer may give: %s (SURF-1)', async (may, tried) => {
    const refused = { type: 'refused', why: 'Not for you.' } as const;
    const give = ({ scope }: { readonly scope: string }) =>
      scope === may ? ({ type: 'given', trust } as const) : refused;

    expect(await typed('/trust', 'restart_service', { give })).toMatch(/^Trusted: /);
    expect(bot.asked.wishes).toMatchObject(tried.map((scope) => ({ scope })));
  });

  it('/trust says why it gives no trust', async () => {
    const why = 'drop_database is guarded: it asks every time.';

    expect(await typed('/trust', 'drop_database', { give: { type: 'refused', why } })).toBe(`Not trusted. ${why}`);
    expect(bot.logged).toContainEqual({
      message: 'Words were not acted on',
      fields: expect.objectContaining({ by: ANN, why }),
    });
  });

  it('/untrust takes trust away from one tool, and from no other', async () => {
    const answer = await typed('/untrust', 'restart_service', {
      trusts: [trust, { ...trust, id: grantId(1), tool: 'deploy' }],
    });

    expect(answer).toBe('Trust ended for `restart_service`: the next call asks again.');
    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ANN }]);
  });

  it('/untrust takes trust away from a tool whose name has capital letters', async () => {
    const issues = { ...trust, tool: 'tickets__listIssues' };

    expect(await typed('/untrust', 'tickets__listIssues', { trusts: [issues] })).toMatch(/^Trust ended for/);
    expect(bot.asked.revoked).toEqual([{ trust: GRANT, by: ANN }]);
  });

  it('/untrust ends trust in any thread of its channel and what its writer trusts anywhere, and says where (SURF-1)', async () => {
    const inThread = { ...trust, offer: { ...trust.offer, scope: 'thread' as const } };
    const other = { ...inThread, id: grantId(1), by: BEN };
    const mine = { ...inThread, id: grantId(2), thread: { ...THREAD, channel: 'C0DEV00001' } };
    const answer = await typed('/untrust', 'restart_service', { trusts: [], inThreads: [other], given: [mine] });

    expect(bot.asked.revoked).toEqual([
      { trust: mine.id, by: ANN },
      { trust: other.id, by: ANN },
    ]);
    expect(answer).toMatch(/^Trust ended for `restart_service`.* That includes 2 threads: <.*C0DEV00001/);
  });

  it('/untrust says where other trust ends when it finds none (SURF-1)', async () => {
    expect(await typed('/untrust', 'restart_service', { trusts: [] })).toMatch(
      /^`restart_service` is not trusted in this channel or its threads, or by you elsewhere\. To end what others trust elsewhere, type this in that channel/,
    );
  });

  it('/untrust takes away only the trust of one scope', async () => {
    await typed('/untrust', 'all me', { trusts: [trust, { ...trust, offer: { ...trust.offer, scope: 'requester' } }] });

    expect(bot.asked.revoked).toHaveLength(1);
  });

  it.each([
    ['/trust', ''],
    ['/trust', 'help'],
    ['/untrust', ''],
    ['/trusted', 'help'],
    ['/approvals', 'help'],
  ])('the command “%s %s” explains itself', async (name, text) => {
    expect(await typed(name, text)).toContain('`/trust &lt;tool&gt; [me|channel] [30m|1h|1d]`');
  });

  it.each([
    ['/trust', 'deploy forever <!channel>'],
    ['/trusted', 'forever'],
    ['/approvals', 'forever'],
  ])('the command “%s %s” says what it did not understand', async (name, text) => {
    expect(await typed(name, text)).toMatch(/^I do not understand “forever” here\.\n/);
  });

  it('the answer to a command makes no typed mark-up active', async () => {
    expect(await typed('/untrust', '<!channel>')).not.toContain('<!channel>');
  });
});

describe('/approvals', () => {
  it('/approvals lists what waits for its writer, with a link to the card and a button for the full input', async () => {
    const words = await typed('/approvals', '', {
      waiting: { approvals: [pending(), guarded()].map(withId), doubts: [], more: 2 },
    });

    expect(bot.asked.places).toEqual([{ user: ANN, team: TEAM }]);
    expect(words).toContain('*Waiting for you*: 4 requests');
    expect(words).toContain('Restart the payments service.');
    expect(words).toContain('|Go to the card>');
    expect(words).toContain('and 2 more');
    expect(buttonTexts(api.responses[0])).toEqual(['View and decide', 'View and decide']);
  });

  it('the answer of /approvals fits, however many calls wait and whatever they are called (P20)', async () => {
    const approvals = Array.from({ length: 20 }, (_, at) =>
      withId(pending({ tool: '<!channel>'.repeat(20), summary: 'x'.repeat(5_000) }), at),
    );
    const doubts = Array.from({ length: 20 }, (_, at) => ({
      ...doubt({ tool: '<!channel>'.repeat(20), summary: 'x'.repeat(5_000) }),
      id: withId(pending(), 20 + at).id,
    }));
    await typed('/approvals', '', { waiting: { approvals, doubts, more: 100 } });

    const [answer] = api.responses;
    expectToFit({ blocks: Array.isArray(answer?.blocks) ? answer.blocks : [], text: String(answer?.text) });
    expect(JSON.stringify(ofType(answer, 'mrkdwn'))).not.toContain('<!channel>');
  });

  it('/approvals names the calls with an unknown outcome, with a link to the card that asks about them', async () => {
    const words = await typed('/approvals', '', { waiting: { approvals: [], doubts: [doubt()], more: 0 } });

    expect(words).toContain('*Waiting for you*: 1 request');
    expect(words).toContain('*Did this happen?* `restart_service`');
    expect(words).toContain('|Go to the card>');
    expect(buttonTexts(api.responses[0])).toEqual([]);
  });

  it('/approvals says so when nothing waits', async () => {
    expect(await typed('/approvals', '')).toBe('Nothing waits for you.');
  });
});

const withId = (approval: Approval, at: number): Approval => ({
  ...approval,
  id: ApprovalId.parse(`07a${`${at}`.padStart(22, '0')}`),
});
