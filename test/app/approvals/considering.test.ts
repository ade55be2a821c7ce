import { expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, HOUR_MS } from '../../support/journal.ts';

const as = (user: string) => ({ user: UserId.parse(user), team: TEAM });

async function asked(): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

it('tells a person who may decide that the question is open, and records nothing', async () => {
  const bot = await asked();
  const before = await bot.journal();

  expect(await bot.core.approvals.consider(bot.card().id, as(ANN))).toMatchObject({ type: 'open' });
  expect(await bot.journal()).toEqual(before);
});

it('tells a person who may not decide why, and by which rule', async () => {
  const bot = await asked();

  expect(await bot.core.approvals.consider(bot.card().id, as(BEN))).toMatchObject({
    type: 'not-yours',
    why: expect.stringMatching(/./),
    notNamed: true,
    approval: { rule: { approvers: [] } },
  });
});

it('tells the outcome of a settled question, and paints its card again', async () => {
  const bot = await asked();
  const { id } = bot.card();
  await bot.press(ANN, bot.card(), 'deny');
  const painted = () => bot.thread.calls().filter((one) => one === 'paint approval').length;
  const before = painted();

  expect(await bot.core.approvals.consider(id, as(ANN))).toMatchObject({ type: 'already-decided' });
  await bot.settles();
  expect(painted()).toBe(before + 1);
});

it('refuses the id of a question that is in no journal', async () => {
  const bot = await asked();

  expect(await bot.core.approvals.consider(approvalId(99), as(ANN))).toEqual({ type: 'unknown' });
});

it('refuses the id of another kind of question', async () => {
  const bot = await asked();
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();
  const doubt = bot.thread.doubts()[0];
  if (doubt?.card === undefined) throw new Error('Nothing in the thread asks what became of a call.');
  const { id, card } = doubt;
  const terms = { match: 'any', scope: 'thread', forMs: HOUR_MS } as const;
  const { approvals } = bot.core;
  const from = { type: 'card', card } as const;

  expect(await approvals.decide({ approval: id, verdict: 'approve', by: as(ANN), from })).toEqual({ type: 'unknown' });
  const all = { list: id, verdict: 'deny', by: as(ANN), card } as const;
  expect(await approvals.decideAll(all)).toEqual({ type: 'unknown' });
  expect(await approvals.consider(id, as(ANN))).toEqual({ type: 'unknown' });
  expect(await approvals.offerTrust(id, as(ANN), terms)).toEqual({ type: 'unknown' });
  expect(await approvals.refer(id, as(ANN), UserId.parse(BEN))).toEqual({ type: 'unknown' });
  expect(await approvals.askAgain(id, as(ANN))).toEqual({ type: 'unknown' });
});

it('does not call a question open while the store cannot be read', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  const findApproval = async () => {
    throw new Error('The store is away.');
  };
  await bot.starts({ changes: { store: { ...bot.store, isExclusive: true, findApproval } } });

  expect(await bot.core.approvals.consider(approvalId(), as(ANN))).toMatchObject({ type: 'failed' });
  const terms = { match: 'any', scope: 'thread', forMs: HOUR_MS } as const;
  expect(await bot.core.approvals.offerTrust(approvalId(), as(ANN), terms)).toMatchObject({ type: 'failed' });
  expect(await bot.core.approvals.refer(approvalId(), as(ANN), UserId.parse(BEN))).toMatchObject({ type: 'failed' });
  expect(await bot.core.approvals.askAgain(approvalId(), as(ANN))).toMatchObject({ type: 'failed' });
  expect(bot.logged).toHaveLength(4);
});

it('shows the line of other trust terms to a person who may give that trust, and to no other (P54)', async () => {
  const bot = await asked();
  const { id } = bot.card();
  const terms = { match: 'exact', scope: 'thread', forMs: 2 * HOUR_MS } as const;

  expect(await bot.core.approvals.offerTrust(id, as(ANN), terms)).toMatchObject({
    type: 'offered',
    offer: { ...terms, line: expect.stringContaining('2 hours') },
  });
  expect(await bot.core.approvals.offerTrust(id, as(BEN), terms)).toMatchObject({ type: 'not-yours' });
  const wide = await bot.core.approvals.offerTrust(id, as(ANN), { ...terms, scope: 'channel' });
  expect(wide).toMatchObject({ type: 'unfit', problem: expect.stringContaining('whole channel') });
});
