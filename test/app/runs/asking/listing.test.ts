import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

const never = (): Promise<never> => new Promise(() => {});

it('posts the card of a call at once while another one of a few calls is still being looked at', async () => {
  const bot = await inProcess({ tools: [tool('restart'), tool('wipe', { preview: never })] });
  bot.model.says([call('restart'), call('wipe')]);

  await bot.mention(ANN, 'restart and wipe');

  expect(bot.cards()).toEqual(['restart pending']);
});

it('posts a card for many calls once, although each of its calls asks for it', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));

  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);

  expect(bot.thread.lists().map(({ rows }) => rows.length)).toEqual([4]);
  expect(bot.thread.calls().filter((name) => name === 'post list')).toHaveLength(1);
});

it('posts the card of many calls after a moment, although one of them is still being looked at', async () => {
  const bot = await inProcess({ tools: [tool('restart'), tool('wipe', { preview: never })] });
  const calls = ['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service));
  bot.model.says([...calls, call('wipe')]);
  await bot.mention(ANN, 'restart all and wipe');

  await vi.advanceTimersByTimeAsync(LIMITS.gatherMs - 1);
  expect(bot.thread.lists()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await bot.settles();

  expect(bot.thread.lists().map(({ rows }) => rows.map(({ tool: name }) => name))).toEqual([
    ['restart', 'restart', 'restart', 'restart'],
  ]);
});

it('tells the thread of each call whose question stood on a card that Slack did not take', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.thread.breaks('post list', new Error('invalid_blocks'));
  bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));

  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);

  expect(bot.posts()).toEqual([...Array(4).fill(WORDS.cardNotPosted('restart')), 'Done.']);
});

it('does not report a list card as missing that stands in the thread when its questions are withdrawn', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));
  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);

  for (const { id } of bot.thread.lists().flatMap(({ rows }) => rows))
    await bot.core.approvals.cancel(id, 'It cannot be answered.');
  await bot.settles();

  expect(bot.posts()).toEqual(['Done.']);
});
