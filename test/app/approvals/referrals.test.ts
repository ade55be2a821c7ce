import { expect, it } from 'vitest';
import type { People } from '../../../app/authority/index.ts';
import { LIMITS } from '../../../app/limits.ts';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, OTHER_TEAM, TEAM, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId } from '../../support/journal.ts';

const user = (id: string) => UserId.parse(id);
const as = (id: string, team = TEAM) => ({ user: user(id), team });

/** Ann has asked for a restart, about which Ben and Zoe decide. */
async function asked(
  more: Parameters<typeof tool>[1] = { approvers: [BEN, ZOE] },
  people: Partial<People> = {},
): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)], people });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

/** As many as a card has room for. */
const PEOPLE = Array.from({ length: LIMITS.referralsKept }, (_, n) => `U0PERSON${n}`);
const called = (bot: Bot) => bot.thread.called();

it('calls a person by name when the requester asks for it, and shows that person on the card', async () => {
  const bot = await asked();

  const result = await bot.core.approvals.refer(bot.card().id, as(ANN), user(BEN));
  await bot.settles();

  expect(result).toMatchObject({ type: 'referred' });
  expect(called(bot)).toEqual([`${ANN} to ${BEN}`]);
  expect(bot.card().referred).toMatchObject([{ by: ANN, to: BEN }]);
});

it('calls a person by name when an approver asks for it, and for no other person', async () => {
  const bot = await asked({ approvers: [BEN] });
  const { id } = bot.card();

  expect(await bot.core.approvals.refer(id, as(ZOE), user(BEN))).toMatchObject({
    type: 'not-yours',
    why: expect.stringContaining('not one of the people'),
  });
  expect(await bot.core.approvals.refer(id, as(ANN, OTHER_TEAM), user(BEN))).toMatchObject({ type: 'not-yours' });
  expect(called(bot)).toEqual([]);
  expect(await bot.core.approvals.refer(id, as(BEN), user(BEN))).toMatchObject({ type: 'referred' });
});

it('does not call a person who may not decide', async () => {
  const bot = await asked({ approvers: [BEN] });

  const result = await bot.core.approvals.refer(bot.card().id, as(ANN), user(ZOE));

  expect(result).toEqual({ type: 'unfit', problem: 'This person may not decide about this call. Choose another.' });
  expect(called(bot)).toEqual([]);
  expect(bot.card().referred ?? []).toEqual([]);
});

it('calls a person once when that person is asked by name twice, and tells the second caller so', async () => {
  const bot = await asked();
  const { id } = bot.card();
  await bot.core.approvals.refer(id, as(ANN), user(BEN));

  const again = await bot.core.approvals.refer(id, as(ANN), user(BEN));
  await bot.settles();

  expect(again).toEqual({ type: 'unfit', problem: 'This person was asked already.' });
  expect(called(bot)).toEqual([`${ANN} to ${BEN}`]);
  expect(bot.card().referred).toHaveLength(1);
});

it('calls a person who could not be called before when that person is asked by name again', async () => {
  const bot = await asked();
  const { id } = bot.card();
  bot.thread.breaks('callByName', new Error('Slack is away.'));
  await bot.core.approvals.refer(id, as(ANN), user(BEN));
  bot.thread.breaks('callByName');

  expect(await bot.core.approvals.refer(id, as(ANN), user(BEN))).toMatchObject({ type: 'referred' });
  expect(called(bot)).toEqual([`${ANN} to ${BEN}`]);
});

it('asks no more people by name than a card has room for', async () => {
  const bot = await asked({ approvers: [...PEOPLE, BEN] });
  const { id } = bot.card();
  for (const person of PEOPLE) await bot.core.approvals.refer(id, as(ANN), user(person));

  const result = await bot.core.approvals.refer(id, as(ANN), user(BEN));

  expect(result).toMatchObject({ type: 'unfit', problem: expect.stringContaining(`${LIMITS.referralsKept} people`) });
  expect(called(bot)).toHaveLength(LIMITS.referralsKept);
});

it('reports that a person could not be called, and records that the person was asked', async () => {
  const bot = await asked();
  bot.thread.breaks('callByName', new Error('Slack is away.'));

  expect(await bot.core.approvals.refer(bot.card().id, as(ANN), user(BEN))).toMatchObject({ type: 'uncalled' });
  await bot.settles();
  expect(bot.card().referred).toHaveLength(1);
});

it('calls no person about a settled or an unknown question, and tells any caller who settled it (P3)', async () => {
  const bot = await asked({ approvers: [BEN] });
  const { id } = bot.card();
  await bot.press(BEN, bot.card(), 'deny');

  for (const caller of [ANN, ZOE])
    expect(await bot.core.approvals.refer(id, as(caller), user(ZOE))).toMatchObject({ type: 'already-decided' });
  expect(await bot.core.approvals.refer(approvalId(99), as(ANN), user(ZOE))).toEqual({ type: 'unknown' });
  expect(called(bot)).toEqual([]);
});

it('calls no person about a question that is settled while that person is looked up (P3)', async () => {
  let meanwhile = async (): Promise<unknown> => undefined;
  const account = async ({ user: who }: { readonly user: string }) => {
    if (who === ZOE) await meanwhile();
    return 'person' as const;
  };
  const bot = await asked(undefined, { account });
  const card = bot.card();
  meanwhile = () => bot.press(BEN, card, 'deny');

  expect(await bot.core.approvals.refer(card.id, as(ANN), user(ZOE))).toMatchObject({ type: 'already-decided' });
  expect(called(bot)).toEqual([]);
});

it('reports changed rules in place of calling a person to decide by the old ones', async () => {
  const bot = await asked({ approvers: [BEN] });
  const { id } = bot.card();
  const rules = [{ name: 'Restarts', effect: 'guard', tool: 'restart', approvers: [BEN] }];
  await bot.starts({ rules });

  const result = await bot.core.approvals.refer(id, as(ANN), user(BEN));

  expect(result).toMatchObject({ type: 'unfit', problem: expect.stringContaining('rules') });
  expect(called(bot)).toEqual([]);
});
