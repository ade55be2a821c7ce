import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, OTHER_TEAM, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, HOUR_MS } from '../../support/journal.ts';

const user = (id: string) => UserId.parse(id);

/** Ann has asked for a restart, and the card stands in the thread. */
async function asked(more: Parameters<typeof tool>[1] = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

it('runs nothing after a denial, and tells the model and the journal its reason (P62)', async () => {
  const bot = await asked();

  expect(await bot.press(ANN, bot.card(), 'deny', { reason: 'not on a Friday' })).toBe('decided');

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart denied']);
  expect(bot.model.told()[0]).toContain('not on a Friday');
  expect((await bot.entries()).find(({ type }) => type === 'call-decided')).toMatchObject({
    verdict: 'deny',
    by: ANN,
    reason: 'not on a Friday',
  });
});

it('a denial keeps all of a reason in emoji that its form takes, because Slack counts characters (P62)', async () => {
  const bot = await asked();
  const reason = '😀'.repeat(LIMITS.reasonChars);
  await bot.press(ANN, bot.card(), 'deny', { reason: `${reason}😀` });

  expect((await bot.entries()).find(({ type }) => type === 'call-decided')).toMatchObject({ reason });
});

it('takes the first of two opposite presses, and tells the second who was faster (P3)', async () => {
  const bot = await asked({ approvers: [ANN, BEN] });
  const card = bot.card();

  const [first, second] = await Promise.all([bot.press(BEN, card, 'deny'), bot.press(ANN, card, 'approve')]);

  expect([first, second]).toEqual(['decided', 'already-decided']);
  expect(bot.ran()).toEqual([]);
});

it('knows a press that came again from one of another person or with another verdict (P3)', async () => {
  const bot = await asked({ approvers: [ANN, BEN] });
  const card = bot.card();
  const decide = (by: string, verdict: 'approve' | 'deny') =>
    bot.core.approvals.decide({
      ...{ approval: card.id, verdict, by: { user: user(by), team: card.thread.team } },
      from: { type: 'full-view' },
    });
  await bot.press(ANN, card, 'approve');

  expect(await decide(ANN, 'approve')).toMatchObject({ type: 'already-decided', repeats: true });
  expect(await decide(ANN, 'deny')).not.toHaveProperty('repeats');
  expect(await decide(BEN, 'approve')).not.toHaveProperty('repeats');
  expect(bot.ran()).toHaveLength(1);
});

it.each([
  ['approve', 'another input', { edit: '{"service":"mail"}' }],
  ['trust', 'other terms', { terms: { match: 'any', scope: 'thread', forMs: HOUR_MS / 2 } }],
] as const)(
  'takes no plain %s for a press that came again where the person chose %s (P3)',
  async (verdict, _, chosen) => {
    const bot = await asked();
    const card = bot.card();
    await bot.press(ANN, card, verdict, chosen);

    const again = await bot.core.approvals.decide({
      ...{ approval: card.id, verdict, by: { user: user(ANN), team: card.thread.team } },
      from: { type: 'full-view' },
    });

    expect(again).toMatchObject({ type: 'already-decided', approval: { decision: { verdict } } });
    expect(again).not.toHaveProperty('repeats');
  },
);

it('refuses a press of a person who may not decide, says why, and leaves the card as it was (P31)', async () => {
  const bot = await asked();
  const { id, card } = bot.card();
  if (card === undefined) throw new Error('There is no card.');

  const answer = await bot.core.approvals.decide({
    approval: id,
    verdict: 'approve',
    by: { user: user(BEN), team: bot.card().thread.team },
    from: { type: 'card', card },
  });

  expect(answer).toMatchObject({ type: 'not-yours', why: expect.stringContaining('person who') });
  expect(bot.cards()).toEqual(['restart pending']);
  expect(await bot.journal()).toContain('press-refused');
});

it('takes the person who began the run for the requester, whoever speaks later, until a run begins anew (P33)', async () => {
  const bot = await asked();
  bot.model.says(call('restart', { service: 'mail' }), 'Done.', call('restart', { service: 'web' }));
  await bot.mention(BEN, 'and mail, for me');
  await bot.press(ANN, bot.card(), 'deny');
  await bot.passes(1_000);

  expect(bot.card()).toMatchObject({ input: '{"service":"mail"}', requester: ANN, alsoSteeredBy: [BEN] });
  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('not-yours');
  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('decided');

  await bot.mention(BEN, 'and web');
  expect(bot.card()).toMatchObject({ input: '{"service":"web"}', requester: BEN });
  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('not-yours');
});

it('refuses the same person pressing from another workspace (P30)', async () => {
  const bot = await asked();
  const by = { user: user(ANN), team: OTHER_TEAM };

  expect(await bot.press(ANN, bot.card(), 'approve', { by })).toBe('not-yours');
  expect(bot.ran()).toEqual([]);
});

it('refuses the id of an approval that is in no journal (P3)', async () => {
  const bot = await asked();

  expect(await bot.press(ANN, { ...bot.card(), id: approvalId(99) }, 'approve')).toBe('unknown');
});

it('says that a press was not recorded while the store is away, and takes it when the store is back (P1)', async () => {
  const bot = await asked();
  const card = bot.card();
  bot.at('press-received', () => {
    throw new Error('The store is away.');
  });
  expect(await bot.press(ANN, card, 'approve')).toBe('failed');
  expect(bot.ran()).toEqual([]);
  expect(bot.logged.join()).toContain('A press was not recorded.');

  bot.at('press-received', () => {});
  expect(await bot.press(ANN, card, 'approve')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});

it('a press that fails while an earlier one of the same person is judged says that it was not recorded (P1)', async () => {
  let isAway = false;
  let lookUp = async (): Promise<'person'> => 'person';
  const bot = await inProcess({
    tools: [tool('restart')],
    people: { account: () => lookUp() },
    around: (store) => ({
      ...store,
      findApproval: async (id) => {
        if (isAway) throw new Error('The store is away.');
        return store.findApproval(id);
      },
    }),
  });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const card = bot.card();
  let answer = (_: 'person'): void => {};
  lookUp = () => new Promise((resolve) => (answer = resolve));
  const first = bot.press(ANN, card, 'approve');
  await bot.settles();

  isAway = true;
  const second = bot.press(ANN, card, 'deny');
  await bot.settles();
  isAway = false;
  answer('person');

  expect([await first, await second]).toEqual(['decided', 'failed']);
  expect(bot.ran()).toHaveLength(1);
});

it('gives no trust on terms that its presser may not give, says why, and leaves the question open (P54)', async () => {
  const bot = await asked();
  const terms = { match: 'exact', scope: 'channel', forMs: HOUR_MS } as const;

  const answer = await bot.core.approvals.decide({
    ...{ approval: bot.card().id, verdict: 'trust', terms, from: { type: 'full-view' } },
    by: { user: user(ANN), team: bot.card().thread.team },
  });

  expect(answer).toEqual({ type: 'unfit', problem: expect.stringContaining('whole channel') });
  expect(bot.cards()).toEqual(['restart pending']);
});

it('takes no press on a copy of the card in another place, or in another channel (P42, T6)', async () => {
  const bot = await asked();
  const card = bot.card();
  const elsewhere = { type: 'card', card: { channel: 'C0ELSE00001', ts: '1.2' } } as const;

  expect(await bot.press(ANN, card, 'approve', { from: elsewhere })).toBe('not-offered');
  expect(bot.ran()).toEqual([]);
  expect(bot.thread.calls()).not.toContain('takeBackSecond');
});

it('removes a second card of the same question in its thread when a person presses it', async () => {
  const bot = await asked();
  const card = bot.card();
  const second = { type: 'card', card: { channel: card.thread.channel, ts: '1.2' } } as const;

  expect(await bot.press(ANN, card, 'approve', { from: second })).toBe('not-offered');
  expect(bot.thread.calls()).toContain('takeBackSecond');
  expect(bot.cards()).toEqual(['restart pending']);
});

it('paints a card again that was older than its record when a person pressed it, and no other', async () => {
  const bot = await asked({ approvers: [BEN] });
  const card = bot.card();
  if (card.card === undefined) throw new Error('There is no card.');
  const paintings = () => bot.thread.calls().filter((one) => one === 'paint approval').length;
  const before = paintings();
  const from = (shows: number) =>
    ({ from: { type: 'card', card: card.card ?? { channel: '', ts: '' }, shows } }) as const;

  await bot.press(ZOE, card, 'approve', from(card.revision));
  expect(paintings()).toBe(before);

  await bot.press(ZOE, card, 'approve', from(card.revision - 1));
  expect(paintings()).toBe(before + 1);
});

it('takes an approval of a guarded call only with the digest that its form showed, and records no press before it (SURF-1)', async () => {
  const bot = await asked({ effect: 'guarded', approvers: [BEN] });
  const before = (await bot.entries()).length;

  expect(await bot.press(BEN, bot.card(), 'approve', { confirms: undefined })).toBe('unconfirmed');
  expect(await bot.entries()).toHaveLength(before);
  expect(await bot.press(BEN, bot.card(), 'approve', { confirms: 'another' })).toBe('not-offered');
  expect(await bot.press(ANN, bot.card(), 'approve', { confirms: undefined })).toBe('not-yours');
  expect(bot.ran()).toEqual([]);

  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('decided');
  expect(bot.ran()).toEqual(['restart {"service":"payments"}']);
});
