import { expect, it } from 'vitest';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

it('logs once that a tool could not put its call into a sentence, and runs the call', async () => {
  const summarise = () => {
    throw new Error('no sentence');
  };
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, summarise })] });
  bot.model.says(call('look'));

  await bot.mention(ANN, 'look');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.logged.filter((line) => line.includes('A tool failed.'))).toHaveLength(1);
});
