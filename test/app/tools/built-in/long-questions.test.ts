import { expect, it } from 'vitest';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { textOf } from '../../../handlers/views/fits.ts';
import { call, inProcess } from '../../../support/in-process/index.ts';

const question = `Which of them may I restart? ${'payments, search or mail; '.repeat(36)}\nAnd when?`;

it('a question of the agent stands on its card to the last word, as it was written', async () => {
  const bot = await inProcess({ tools: [] });
  bot.model.says(call('ask_person', { question }));
  await bot.mention(ANN, 'ask me');

  expect(question.length).toBeLessThanOrEqual(1_000);
  expect(textOf(approvalCard(bot.card()).blocks)).toContain(question);
});
