import type { ModalView } from '@slack/types';
import type { Doubt } from '../../../app/records/index.ts';
import { toolName } from '../card/call.ts';
import { mrkdwn, prose, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN } from '../kit/limits.ts';
import { type FormMemory, form, textField } from './form.ts';

/** Whoever looked may say what came of it; the agent takes that for the result. */
export function happenedForm({ tool, summary }: Doubt, memory: FormMemory): ModalView {
  return form('doubt_happened_form', { submit: 'Tell the agent', memory }, [
    section('tool', mrkdwn`\`${toolName(tool)}\``),
    ...(summary.trim() === '' ? [] : [prose('summary', summary.trim(), SHOWN.summaryChars)]),
    textField({
      field: FIELD.said,
      label: 'What came of it',
      hint: 'The agent goes on with this as the result. Everybody in the thread can read it.',
      most: SHOWN.typedReasonChars,
      optional: true,
    }),
  ]);
}
