import { expect, it } from 'vitest';
import { WORDS } from '../../../app/runs/index.ts';
import { ANN, TEAM } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';

/* Slack may tell of a removal when the app is installed again. */

it('a removal told late stops the runs of before the newer installation alone, and tells their threads (B20)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart');
  const begunAtMs = Date.now();

  await bot.core.left(TEAM, begunAtMs);
  await bot.settles();
  expect(bot.cards()).toEqual(['restart pending']);

  await bot.core.left(TEAM, begunAtMs + 1);
  await bot.settles();
  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.posts()).toEqual([WORDS.uninstalled]);
});

it('a removal told late ends the trust of before the newer installation alone (B20)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'), 'Done.', call('restart'), 'Done.', call('restart'));
  await bot.mention(ANN, 'restart');
  await bot.press(ANN, bot.card(), 'trust');
  const givenAtMs = Date.now();

  await bot.core.left(TEAM, givenAtMs);
  await bot.mention(ANN, 'restart again');
  expect(bot.ran()).toHaveLength(2);

  await bot.core.left(TEAM, givenAtMs + 1);
  await bot.mention(ANN, 'restart again');
  expect(bot.ran()).toHaveLength(2);
  expect(bot.card().tool).toBe('restart');
});
