import { expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, OTHER_TEAM, TEAM, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId } from '../../support/journal.ts';

const user = (id: string) => UserId.parse(id);
const as = (id: string, team = TEAM) => ({ user: user(id), team });

/** Ann has asked for a restart, about which Ben and Zoe decide. */
async function asked(more: Parameters<typeof tool>[1] = { approvers: [BEN, ZOE] }): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

const called = (bot: Bot) => bot.thread.calls().filter((one) => one === 'callByName').length;

it('calls a person by name at the wish of the requester, and shows on the card who was asked', async () => {
  const bot = await asked();

  const result = await bot.core.approvals.refer(bot.card().id, as(ANN), user(BEN));
  await bot.settles();

  expect(result).toMatchObject({ type: 'referred' });
  expect(called(bot)).toBe(1);
  expect(bot.card().referred).toMatchObject([{ by: ANN, to: BEN }]);
});

it('calls a person by name at the wish of an approver, and of no other person', async () => {
  const bot = await asked({ approvers: [BEN] });
  const { id } = bot.card();

  expect(await bot.core.approvals.refer(id, as(ZOE), user(BEN))).toMatchObject({ type: 'not-yours' });
  expect(await bot.core.approvals.refer(id, as(ANN, OTHER_TEAM), user(BEN))).toMatchObject({ type: 'not-yours' });
  expect(called(bot)).toBe(0);
  expect(await bot.core.approvals.refer(id, as(BEN), user(BEN))).toMatchObject({ type: 'referred' });
});

it('does not call a person who may not decide', async () => {
  const bot = await asked({ approvers: [BEN] });

  const result = await bot.core.approvals.refer(bot.card().id, as(ANN), user(ZOE));

  expect(result).toEqual({ type: 'unfit', problem: 'This person may not decide about this call.' });
  expect(called(bot)).toBe(0);
  expect(bot.card().referred ?? []).toEqual([]);
});

it('calls the same person again when asked again, and writes it once', async () => {
  const bot = await asked();
  const { id } = bot.card();
  await bot.core.approvals.refer(id, as(ANN), user(BEN));

  await bot.core.approvals.refer(id, as(ANN), user(BEN));
  await bot.settles();

  expect(called(bot)).toBe(2);
  expect(bot.card().referred).toHaveLength(1);
});

it('says that a person could not be called, and keeps that they were asked', async () => {
  const bot = await asked();
  bot.thread.breaks('callByName', new Error('Slack is away.'));

  expect(await bot.core.approvals.refer(bot.card().id, as(ANN), user(BEN))).toMatchObject({ type: 'uncalled' });
  await bot.settles();
  expect(bot.card().referred).toHaveLength(1);
});

it('calls no person about a question that is settled, and none about a question that is not known', async () => {
  const bot = await asked();
  const { id } = bot.card();
  await bot.press(BEN, bot.card(), 'deny');

  expect(await bot.core.approvals.refer(id, as(ANN), user(ZOE))).toMatchObject({ type: 'already-decided' });
  expect(await bot.core.approvals.refer(approvalId(99), as(ANN), user(ZOE))).toEqual({ type: 'unknown' });
  expect(called(bot)).toBe(0);
});

it('says that the rules have changed in place of calling a person to decide by the old ones', async () => {
  const bot = await asked({ approvers: [BEN] });
  const { id } = bot.card();
  const rules = [{ name: 'Restarts', effect: 'guard', tool: 'restart', approvers: [BEN] }];
  await bot.starts({ rules });

  const result = await bot.core.approvals.refer(id, as(ANN), user(BEN));

  expect(result).toMatchObject({ type: 'unfit', problem: expect.stringContaining('rules') });
  expect(called(bot)).toBe(0);
});
