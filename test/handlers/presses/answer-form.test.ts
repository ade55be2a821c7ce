import { expect, it } from 'vitest';
import { answerModal } from '../../../handlers/views/forms/answer-modal.ts';
import { FIELD } from '../../../handlers/views/kit/forms.ts';
import { MEMORY, submission } from '../payloads.ts';
import { door, onStage, start } from '../stage.ts';
import { ofType } from '../views/fits.ts';
import { pending } from '../views/records.ts';

onStage();

const callback = 'approval_answer_form';
const problem = 'This is too long to be kept. Shorten the longest field.';
const text = { type: 'string' };
const form = JSON.stringify({ type: 'object', properties: { branch: text, why: text, note: text } });

it('an answer that its form does not take stays in the form, with the problem at the longest field (P12)', async () => {
  const found = pending({ tool: 'ask_person', input: '{}', wants: { choices: [], form } });
  await start({ found, decide: async () => ({ type: 'unfit', problem }) });

  const values = { 'field-0': 'main', 'field-1': 'because '.repeat(100), 'field-2': 'x' };
  const reply = await door.press(submission({ callback, values }));

  expect(await reply.json()).toEqual({ response_action: 'errors', errors: { 'field-1': problem } });
});

it('an answer that meets a store that is away stays in its form (P3)', async () => {
  await start({
    find: async () => {
      throw new Error('the store is away');
    },
  });

  const reply = await door.press(submission({ callback, values: { answer: 'Tonight.' } }));

  expect(await reply.json()).toMatchObject({ response_action: 'errors', errors: { answer: /went wrong/ } });
});

it('a choice and as many words beside it as the form takes are kept together (P12)', () => {
  const choice = 'x'.repeat(70);
  const { blocks } = answerModal(pending({ tool: 'ask_person', wants: { choices: ['no', choice] } }), MEMORY);
  const [words] = ofType(blocks, 'plain_text_input');

  expect(words).toMatchObject({ action_id: FIELD.answer });
  expect(Number(words?.max_length) + `${choice}\n`.length).toBe(3_000);
});
