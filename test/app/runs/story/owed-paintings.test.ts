import { expect, it } from 'vitest';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

const never = (): Promise<never> => new Promise(() => {});

it('shows the decision on a card that an earlier process could not paint, before the agent goes on', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'), never(), never());
  await bot.mention(ANN, 'restart payments');
  bot.thread.breaks('paint approval', new NotYetError('503'));
  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(4_000);
  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual(['restart pending']);
  bot.thread.breaks('paint approval');

  await bot.restarts();

  expect(bot.cards()).toEqual(['restart approved']);
  expect(bot.posts()).toEqual([]);
});

it('keeps no thread in hand when only its paintings are left and the rate of Slack leaves no room for them', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.thread.holdsPaintings();
  void bot.press(ANN, bot.card(), 'approve');
  await bot.waits(4_000);
  expect(bot.posts()).toEqual(['Done.']);

  await bot.waits(2_000);

  expect(bot.holds()).toBe(false);
  expect(bot.thread.unheard()).toEqual([]);
});
