import { expect, it } from 'vitest';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

it('asks for feedback on the last answer of a run, and on none before it', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says([{ type: 'text', text: 'I look.' }, call('look')], 'All is well.');

  await bot.mention(ANN, 'look');

  expect(bot.thread.posts().map(({ text, opinion }) => [text, opinion?.turn])).toEqual([
    ['I look.', undefined],
    ['All is well.', 2],
  ]);
});
