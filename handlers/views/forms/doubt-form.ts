import type { ModalView } from '@slack/types';
import type { Doubt } from '../../../app/records/index.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN } from '../kit/limits.ts';
import { calledTool, type FormMemory, form, textField } from './form.ts';

/** Whoever looked may say what came of it; the agent takes that for the result. */
export function happenedForm({ tool, summary }: Doubt, memory: FormMemory): ModalView {
  return form('doubt_happened_form', { submit: 'Tell the agent', memory }, [
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
