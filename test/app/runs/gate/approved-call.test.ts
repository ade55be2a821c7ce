import { expect, it } from 'vitest';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

it('runs a call after the yes of the person who asked for it, and shows it on the card', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  expect(bot.ran()).toEqual([]);

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual(['restart {"service":"payments"}']);
  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.cards()).toEqual(['restart approved']);
});
