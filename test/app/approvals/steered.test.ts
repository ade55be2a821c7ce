import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import type { Approval } from '../../../app/records/index.ts';
import { ANN, BEN, TEAM, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { HOUR_MS, user } from '../../support/journal.ts';

const by = (id: string) => ({ user: user(id), team: TEAM });
const STRICT = { approvers: [ANN, BEN, ZOE], selfApproval: false } as const;
const one = (name: string, service = 'payments') => call(name, { service }, `${name}-${service}`);

/** Ann's run waits for her; Ben writes into it, and the agent asks for these calls when it has read him. */
async function steered(calls: ReturnType<typeof one>[] = [one('pay')]): Promise<Bot> {
  const bot = await inProcess({
    tools: [tool('wait'), tool('pay', STRICT), tool('wipe', { ...STRICT, effect: 'guarded', secondFactor: true })],
    signOn: { header: 'x-user', people: { zoe: ZOE, ben: BEN } },
  });
  bot.model.says(one('wait'), calls);
  await bot.mention(ANN, 'look');
  await bot.mention(BEN, 'pay it');
  await bot.press(ANN, bot.card(), 'deny');
  await bot.passes(1_000);
  return bot;
}

const terms = { match: 'exact', scope: 'thread', forMs: HOUR_MS } as const;

describe('a person who wrote before a call was asked for', () => {
  it.each<[string, (bot: Bot, card: Approval) => Promise<unknown>]>([
    ['Approve on the card', (bot, card) => bot.press(BEN, card, 'approve')],
    ['Approve in the full view', (bot, card) => bot.press(BEN, card, 'approve', { from: { type: 'full-view' } })],
    ['an edited input', (bot, card) => bot.press(BEN, card, 'approve', { edit: '{"service":"mail"}' })],
    ['Trust', (bot, card) => bot.press(BEN, card, 'trust')],
    ['Trust on other terms', (bot, card) => bot.press(BEN, card, 'trust', { terms })],
    ['an answer in its place', (bot, card) => bot.press(BEN, card, 'answer', { answer: 'Done.' })],
    ['the form of a decision', async (bot, { id }) => (await bot.core.approvals.consider(id, by(BEN))).type],
    ['the form of a trust', async (bot, { id }) => (await bot.core.approvals.offerTrust(id, by(BEN), terms)).type],
  ])('has no say by %s, and another approver has (EDGE-5, T7)', async (_door, decides) => {
    const bot = await steered();

    expect(await decides(bot, bot.card())).toBe('not-yours');
    expect(bot.ran()).toEqual([]);
    expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('decided');
    expect(bot.ran()).toHaveLength(1);
  });

  it('has no say on the page outside of Slack (EDGE-5)', async () => {
    const bot = await steered([one('wipe')]);
    const { digest } = bot.card();

    expect(await bot.press(BEN, bot.card(), 'approve', { from: { type: 'web', digest } })).toBe('not-yours');
    expect(await bot.press(ZOE, bot.card(), 'approve', { from: { type: 'web', digest } })).toBe('decided');
  });

  it('approves no row of a card of many calls (EDGE-5)', async () => {
    const bot = await steered(['a', 'b', 'c', 'd'].map((service) => one('pay', service)));
    const list = bot.thread.lists()[0];
    if (list?.card === undefined) throw new Error('There is no list card.');
    const all = { list: list.id, verdict: 'approve', card: list.card } as const;

    expect(await bot.core.approvals.decideAll({ ...all, by: by(BEN) })).toMatchObject({
      results: list.rows.map(() => ({ type: 'not-yours' })),
    });
    expect(bot.ran()).toEqual([]);
  });

  it('finds it in no list of what waits, is asked by nobody, and stands on its record (EDGE-5)', async () => {
    const bot = await steered();
    const { approvals } = bot.core;
    const { id } = bot.card();

    expect((await approvals.waitingFor(by(BEN))).approvals).toEqual([]);
    expect((await approvals.waitingFor(by(ZOE))).approvals).toHaveLength(1);
    expect(await approvals.refer(id, by(ANN), user(BEN))).toMatchObject({ type: 'unfit' });
    expect(bot.card().alsoSteeredBy).toEqual([BEN]);
  });

  it('has no say when its requester asks for it again in another run (EDGE-5, T7)', async () => {
    const bot = await steered();
    const { id } = bot.card();
    await bot.passes(LIMITS.approvalLifetimeMs);
    bot.model.says(one('pay'));

    expect((await bot.core.approvals.askAgain(id, by(ANN))).type).toBe('asked');
    await bot.settles();
    expect(bot.card()).toMatchObject({ requester: ANN, alsoSteeredBy: [BEN] });
    expect(bot.card().id).not.toBe(id);
    expect(await bot.press(BEN, bot.card(), 'approve')).toBe('not-yours');
    expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('decided');
  });

  it('has no say about what became of a call that was lost (EDGE-5)', async () => {
    const bot = await steered();
    bot.diesAt('tool-returned');
    await bot.press(ZOE, bot.card(), 'approve');
    await bot.starts();
    await bot.passes(LIMITS.leaseMs + 1_000);

    expect(bot.thread.doubts()).toHaveLength(1);
    expect((await bot.core.approvals.waitingFor(by(BEN))).doubts).toEqual([]);
    expect((await bot.core.approvals.waitingFor(by(ZOE))).doubts).toHaveLength(1);
    expect(await bot.tells(BEN, 'skip')).toBe('not-yours');
    expect(await bot.tells(ZOE, 'skip')).toBe('answered');
  });
});

describe('what the model read elsewhere than in a message of the run', () => {
  const asks = () => inProcess({ tools: [tool('pay', { ...STRICT, approvers: [BEN] })] });

  it('keeps no say from an approver who denied with a wish (T7)', async () => {
    const bot = await asks();
    bot.model.says(one('pay', 'all'), one('pay', 'half'));
    await bot.mention(ANN, 'pay it');
    await bot.press(BEN, bot.card(), 'deny', { reason: 'Pay half of it.' });

    expect(bot.card()).toMatchObject({ status: 'pending', alsoSteeredBy: [] });
    expect(await bot.press(BEN, bot.card(), 'approve')).toBe('decided');
    expect(bot.ran()).toHaveLength(1);
  });

  it('keeps no say from an approver who wrote in an earlier run of the thread (T7)', async () => {
    const bot = await asks();
    bot.model.says('I see.', one('pay'));
    await bot.mention(BEN, 'pay it next time');
    await bot.mention(ANN, 'do it');

    expect(bot.card()).toMatchObject({ requester: ANN, alsoSteeredBy: [] });
    expect(await bot.press(BEN, bot.card(), 'approve')).toBe('decided');
  });
});
