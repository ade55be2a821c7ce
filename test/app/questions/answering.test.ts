import { expect, it, vi } from 'vitest';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';

it('goes on with a run at once, and paints the card, when the question what became of a call expires', async () => {
  const bot = await inProcess({ tools: [tool('restart')], times: { hotMs: 1 } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();
  await bot.passes(1_000);
  const [doubt] = bot.thread.doubts();
  if (doubt === undefined) throw new Error('Nothing in the thread asks what became of a call.');
  expect(bot.holds()).toBe(false);

  vi.advanceTimersByTime(doubt.expiresAtMs - Date.now() + 1);
  await bot.core.onDue({ what: 'expiry', subject: doubt.id });
  await bot.settles();

  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.thread.doubts().map(({ standing }) => standing.status)).toEqual(['expired']);
});
