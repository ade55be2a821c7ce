import { expect, it } from 'vitest';
import { given } from '../../../app/given.ts';
import { LIMITS } from '../../../app/limits.ts';
import { NotYetError } from '../../../app/surface.ts';
import { ANN, BEN } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';

/** Ann has asked for a restart, and Ben, who does not see the card, was told directly. */
async function asked(): Promise<Bot> {
  const people = { isInChannel: async ({ user }: { readonly user: string }) => user !== BEN };
  const bot = await inProcess({ tools: [tool('restart', { approvers: [BEN] })], people });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  await bot.passes(LIMITS.noticeAfterMs);
  return bot;
}

const WRITES = ['paint approval', 'paintCopy', 'say'] as const;
/** They help the eye, and never reject. */
const COSMETIC = ['status', 'statusShown', 'workEnds'];
const WHEN = ['before', 'after'] as const;
const each = <Write>(writes: readonly Write[]) => writes.flatMap((write) => WHEN.map((when) => [write, when] as const));

it.each(each(WRITES))('a decision stays as it is where Slack fails at “%s”, %s it is done (P14)', async (act, when) => {
  const bot = await asked();
  const card = bot.card();
  const before = bot.thread.calls().length;
  bot.thread.breaks(act, new NotYetError('503'), when);

  expect(await bot.press(BEN, card, 'approve')).toBe('decided');
  await bot.waits(2_000);
  const writes = bot.thread.calls().slice(before);
  expect(writes).toContain(act);
  // A write that comes to the way of a decision needs a case of its own here.
  expect(writes.filter((one) => ![...WRITES, ...COSMETIC].includes(one))).toEqual([]);
  expect(bot.ran()).toHaveLength(1);
  bot.thread.breaks(act);
  await bot.restarts();
  expect(await bot.press(BEN, card, 'deny')).toBe('already-decided');

  const kept = (await bot.journal()).filter((type) => ['call-decided', 'call-started'].includes(type));
  expect(kept).toEqual(['call-decided', 'call-started']);
  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual(['restart approved']);
  expect(bot.posts()).toEqual(['Done.']);
});

it.each(WHEN)(
  'the decisions on a list card stay as they are where Slack fails to paint it, %s it is done (P14)',
  async (when) => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));
    await bot.mention(ANN, 'restart everything');
    await bot.passes(LIMITS.gatherMs);
    const rows = () =>
      bot.thread.lists().flatMap(({ rows, card }) => rows.map((row) => ({ ...row, ...given({ card }) })));
    bot.thread.breaks('paint list', new NotYetError('503'), when);

    for (const [at, row] of rows().entries()) await bot.press(ANN, row, at === 0 ? 'deny' : 'approve');
    await bot.waits(2_000);
    expect(bot.ran()).toHaveLength(3);
    bot.thread.breaks('paint list');
    await bot.restarts();

    expect(bot.ran()).toHaveLength(3);
    expect(rows().map(({ status }) => status)).toEqual(['denied', 'approved', 'approved', 'approved']);
    expect(await bot.press(ANN, rows()[0] ?? bot.card(), 'approve')).toBe('already-decided');
  },
);

it.each(each(['say', 'amend'] as const))(
  'a trust counts as given where Slack fails at “%s” of its line, %s it is done (P14)',
  async (act, when) => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b'));
    await bot.mention(ANN, 'restart a, then b');
    bot.thread.breaks(act, new NotYetError('503'), when);

    expect(await bot.press(ANN, bot.card(), 'trust')).toBe('decided');
    await bot.waits(2_000);
    expect(bot.thread.calls()).toContain(act);
    bot.thread.breaks(act);
    await bot.restarts();
    await bot.passes(LIMITS.retryAfterMs);

    expect(bot.ran()).toEqual(['restart {"service":"a"}', 'restart {"service":"b"}']);
    expect(bot.cards()).toEqual(['restart trusted']);
    expect(bot.posts().filter((post) => post.includes('without asking'))).toHaveLength(1);
  },
);
