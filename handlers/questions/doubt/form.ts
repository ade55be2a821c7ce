import type { ModalView } from '@slack/types';
import type { Doubt } from '../../../app/records/index.ts';
import { calledTool, FIELD, type FormMemory, form, SHOWN, textField } from '../../views/index.ts';

export const HAPPENED = { id: 'doubt_happened_form', title: 'It happened' } as const;

/** The form for *It happened*: a person may say what came of the call. The agent takes that for the result. */
export function happenedForm({ tool, summary }: Doubt, memory: FormMemory): ModalView {
  return form(HAPPENED, { submit: 'Tell the agent', memory }, [
    ...calledTool({ tool, summary }),
    textField({
      field: FIELD.said,
      label: 'What came of it',
      hint: 'The agent goes on with this as the result. Everybody in the thread can read it.',
      most: SHOWN.typedReasonChars,
      optional: true,
    }),
  ]);
}
