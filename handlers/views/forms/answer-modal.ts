import type { KnownBlock, ModalView } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { footnote, plain } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN } from '../kit/limits.ts';
import { calledTool, choiceField, type FormMemory, form, textField } from './form.ts';
import { drawField } from './schema/field-blocks.ts';
import { readFields } from './schema/fields.ts';

/** The choice of a person whose answer is not among the offered ones. */
export const OTHERWISE = 'otherwise';

/** The form for an answer in place of the tool. A choice is sent by its number, never by its text. */
export function answerModal(approval: Approval, memory: FormMemory): ModalView {
  const { wants } = approval;
  const title = wants === undefined ? 'Answer instead' : undefined;
  const choices = wants?.choices ?? [];
  const fields = wants?.form === undefined ? undefined : readFields(wants.form);
  return form('approval_answer_form', { title, submit: 'Send answer', memory }, [
    ...calledTool(approval, wants === undefined ? SHOWN.summaryChars : SHOWN.questionShownChars),
    ...(wants === undefined
      ? [footnote('means', [plain('The tool does not run. Your words are its result.', SHOWN.noteChars)])]
      : []),
    ...(fields === undefined ? written(choices) : [byAgent('fields'), ...fields.map(drawField), plainly()]),
  ]);
}

/** Their words could be taken for those of the bot. */
const byAgent = (what: 'fields' | 'choices') =>
  footnote('agent', [plain(`The agent wrote these ${what}.`, SHOWN.noteChars)]);

/** Says that all people in the thread see the answer. */
const plainly = () => footnote('care', [plain(READABLE, SHOWN.noteChars)]);
const READABLE = 'The agent and everybody in the thread can read it.';

function written(choices: readonly string[]): KnownBlock[] {
  // The first option is chosen until the person chooses another, and the first one is no answer.
  const options = [
    { text: 'As written below', value: OTHERWISE },
    ...choices.map((text, index) => ({ text, value: `${index}` })),
  ];
  return [
    ...(choices.length === 0
      ? []
      : [byAgent('choices'), choiceField({ field: FIELD.choice, label: 'Your answer', options })]),
    textField({
      field: FIELD.answer,
      label: choices.length === 0 ? 'Your answer' : 'In your own words',
      hint: READABLE,
      // The choice is kept with the words, on a line of its own.
      most: SHOWN.typedAnswerChars - Math.max(0, ...choices.map((choice) => `${choice}\n`.length)),
      optional: choices.length > 0,
    }),
  ];
}
