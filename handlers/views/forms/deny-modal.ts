import type { InputBlock, ModalView } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { FIELD, NEXT } from '../kit/forms.ts';
import { SHOWN } from '../kit/limits.ts';
import { calledTool, choiceField, type FormMemory, form, textField } from './form.ts';

/** The form to deny a call: a reason, and what the agent should do instead. */
export function denyModal(approval: Approval, memory: FormMemory): ModalView {
  return form('approval_deny_reason', { submit: 'Deny', memory }, [
    ...calledTool(approval),
    reasonField(),
    nextField(),
  ]);
}

export function reasonField(): InputBlock {
  return textField({
    field: FIELD.reason,
    label: 'Reason',
    hint: 'The agent and everybody in the thread can read it.',
    most: SHOWN.typedReasonChars,
    optional: true,
  });
}

export function nextField(): InputBlock {
  return choiceField({
    field: FIELD.next,
    label: 'What next',
    options: [
      { text: 'Let the agent try another way', value: NEXT.another },
      { text: 'Stop the run', value: NEXT.stop },
    ],
  });
}
