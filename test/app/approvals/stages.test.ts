import { expect, it } from 'vitest';
import type { Account } from '../../../app/authority/people.ts';
import { UserId } from '../../../app/records/index.ts';
import { NotYetError } from '../../../app/surface.ts';
import { ANN, BEN, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';

type Wishes = Parameters<typeof tool>[1];

/** Ann has asked for a restart about which several people decide. */
async function asked(more: Wishes, people: Parameters<typeof inProcess>[0]['people'] = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)], people });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

const accountOf = (isGone: boolean): Account => (isGone ? 'deactivated' : 'person');

const TWO = { approvers: [ANN, BEN, ZOE], quorum: 2 };
const STAGES = { stages: [{ approvers: [BEN] }, { approvers: [ZOE] }] };

it('runs a call that needs two people after the second yes, and shows the first yes on the card (P44)', async () => {
  const bot = await asked(TWO);

  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('counted');
  expect(bot.ran()).toEqual([]);
  expect(bot.card().progress).toMatchObject({ given: 1, needed: 2 });

  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});

it('counts the yes of a person once, and tells that person so (P44)', async () => {
  const bot = await asked(TWO);
  await bot.press(BEN, bot.card(), 'approve');
  const { id, card, thread } = bot.card();
  if (card === undefined) throw new Error('There is no card.');

  const by = { user: UserId.parse(BEN), team: thread.team };
  const from = { type: 'card', card } as const;
  const again = await bot.core.approvals.decide({ approval: id, verdict: 'approve', by, from });

  expect(again).toMatchObject({ type: 'not-yours', why: expect.stringContaining('counts already') });
  expect(bot.ran()).toEqual([]);
});

it('ends a call that several people decide with the first no of any of them (P19d)', async () => {
  const bot = await asked(TWO);
  await bot.press(BEN, bot.card(), 'approve');

  expect(await bot.press(ZOE, bot.card(), 'deny')).toBe('decided');
  expect(bot.cards()).toEqual(['restart denied']);
  expect(bot.ran()).toEqual([]);
});

it('takes the yes of a later stage only after the stage before it (P44)', async () => {
  const bot = await asked(STAGES);

  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('not-yours');
  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('counted');
  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});

it('drops the yes of a person who was deactivated before the last yes (P34)', async () => {
  const gone = new Set<string>();
  const account = async ({ user }: { readonly user: string }) => accountOf(gone.has(user));
  const bot = await asked(TWO, { account });
  await bot.press(BEN, bot.card(), 'approve');

  gone.add(BEN);
  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('counted');
  expect(bot.ran()).toEqual([]);
  expect(bot.card().progress).toMatchObject({ given: 1, dropped: [BEN] });

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});

it('paints the card when a yes is found to be lost, even when the press itself does not count (P34)', async () => {
  const gone = new Set<string>();
  const account = async ({ user }: { readonly user: string }) => accountOf(gone.has(user));
  const bot = await asked(STAGES, { account });
  await bot.press(BEN, bot.card(), 'approve');

  gone.add(BEN);
  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('not-yours');

  expect(bot.card().progress).toMatchObject({ stage: 1, given: 0, dropped: [BEN] });
});

it.each(['trust', 'answer'] as const)('lets no one of several people %s for all of them (P57)', async (verdict) => {
  const bot = await asked(TWO);

  expect(await bot.press(BEN, bot.card(), verdict)).toBe('not-offered');
});

it('lets no one of several people change the input (P57)', async () => {
  const bot = await asked(TWO);

  expect(await bot.press(BEN, bot.card(), 'approve', { edit: '{"service":"mail"}' })).toBe('unfit');
  expect(bot.ran()).toEqual([]);
});

it('paints a card that could not show a yes before when a person presses again elsewhere (P14)', async () => {
  const bot = await asked(TWO);
  const card = bot.card();
  bot.thread.breaks('paint approval', new NotYetError('503'));
  expect(await bot.press(BEN, card, 'approve')).toBe('counted');
  expect(bot.card().progress).toMatchObject({ given: 0 });
  bot.thread.breaks('paint approval');

  expect(await bot.press(BEN, card, 'approve', { from: { type: 'full-view' } })).toBe('not-yours');

  expect(bot.card().progress).toMatchObject({ given: 1 });
});
