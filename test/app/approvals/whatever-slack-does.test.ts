import { expect, it } from 'vitest';
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

it.each([
  ['paint approval', 'before'],
  ['paint approval', 'after'],
  ['paintCopy', 'before'],
  ['paintCopy', 'after'],
  ['say', 'before'],
  ['say', 'after'],
] as const)('a decision stays as it is where Slack fails at “%s”, %s it is done (P14)', async (act, when) => {
  const bot = await asked();
  const card = bot.card();
  bot.thread.breaks(act, new NotYetError('503'), when);

  expect(await bot.press(BEN, card, 'approve')).toBe('decided');
  await bot.waits(2_000);
  expect(bot.thread.calls()).toContain(act);
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
