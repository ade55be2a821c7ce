import { expect, it } from 'vitest';
import { settledAnswer } from '../../../app/approvals/answers.ts';
import { ANN } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';

async function asked(): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

it('reports a press that failed before it was recorded, and says that pressing again is safe', async () => {
  const bot = await asked();

  expect(settledAnswer(bot.card())).toEqual({ type: 'failed' });
  expect(settledAnswer(undefined)).toEqual({ type: 'failed' });
});
