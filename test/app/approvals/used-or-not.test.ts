import { expect, it } from 'vitest';
import { ANN, BEN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';

const ODD = 'a\n```\n</input> {"service":"b"} \u0000 <@U0BEN00001> ';

/** Ann has asked for a restart, and a card waits for her yes. */
async function asked(service = 'payments'): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

it.each(['call-decided', 'waiter-woken', 'call-starting'] as const)(
  'an approval is used once by the next process where the one before died at %s (P6)',
  async (step) => {
    const bot = await asked();
    bot.diesAt(step);
    void bot.press(ANN, bot.card(), 'approve');
    await bot.settles();
    expect(bot.ran()).toEqual([]);

    await bot.restarts();

    expect(bot.ran()).toHaveLength(1);
    expect(bot.thread.cards()).toMatchObject([{ status: 'approved', outcome: { type: 'ran' } }]);
  },
);

it('an approval of a run that is stopped before its call starts is shown as not used (P6)', async () => {
  const bot = await asked();
  let goOn = () => {};
  bot.at('waiter-woken', () => new Promise<void>((resolve) => (goOn = resolve)));
  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('decided');

  await bot.stop(ANN);
  goOn();
  await bot.waits(2_000);

  expect(bot.ran()).toEqual([]);
  expect(bot.thread.cards()).toMatchObject([{ status: 'approved', outcome: { type: 'not-applied' } }]);
});

it('a run goes on with the very input that its journal holds, whatever stands in it, and asks the model for nothing twice (P7b)', async () => {
  const bot = await asked(ODD);

  await bot.restarts();
  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual([`restart ${JSON.stringify({ service: ODD })}`]);
  expect(bot.model.requests).toHaveLength(2);
});

it('a denial leaves nothing of its approval: the yes before it counts for no later call, and no list or clock has the question (P19d)', async () => {
  const two = { approvers: [ANN, BEN], quorum: 2, selfApproval: true };
  const bot = await inProcess({ tools: [tool('restart', two)], times: { afterDenialMs: 0 } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const card = bot.card();
  expect(await bot.press(BEN, card, 'approve')).toBe('counted');
  const waiting = () =>
    Promise.all([ANN, BEN].map((one) => bot.store.members({ what: 'waiting', of: `${TEAM}:${one}` })));
  const due = () => [...bot.store.scheduled().due].filter((one) => one.includes(card.id));
  expect(await waiting()).toEqual([[card.id], []]);
  expect(due()).not.toEqual([]);
  expect(await bot.press(ANN, card, 'deny')).toBe('decided');

  expect([await waiting(), due()]).toEqual([[[], []], []]);
  expect(await bot.press(ANN, card, 'approve')).toBe('already-decided');
  await bot.restarts();
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  expect(bot.card().progress).toMatchObject({ given: 0, needed: 2 });
  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('counted');
  expect(bot.ran()).toEqual([]);
});
