import { expect, it } from 'vitest';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';

it('a question expires in time while Slack takes minutes for its reminder', async () => {
  const deadlines = { remindAfterMs: 5_000, expireAfterMs: 10_000 };
  const bot = await inProcess({ tools: [tool('restart')], policy: { restart: deadlines } });
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, remind: () => new Promise(() => {}) } } });
  await bot.sweeps();
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.waits(12_000);

  expect(bot.cards()).toEqual(['restart expired']);
});
