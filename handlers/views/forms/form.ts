import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { given } from '../../../app/given.ts';
import type { Approval, ApprovalId, CardReceipt, RunId, StoredTrustTerms, UserId } from '../../../app/records/index.ts';
import { summaryBlocks, toolName } from '../card/call.ts';
import { mrkdwn, plain, section } from '../kit/blocks.ts';
import { FORMS, type FormId, type FormName } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';

/** Modals that people fill in. */

/** What a form remembers until it is submitted: the approval, and the card it was opened on. */
export interface FormMemory {
  readonly approval: ApprovalId;
  readonly run?: RunId | undefined;
  readonly card: CardReceipt;
  readonly threadTs: string;
  /** It was opened from a list, where the person does not look at the thread. */
  readonly listed?: true | undefined;
  /** The digest of the call that the form shows, where submitting it confirms that call. */
  readonly confirms?: string | undefined;
  /** Chosen on the page before. */
  readonly terms?: StoredTrustTerms;
  /** The names of its fields, where they are those of a tool. */
  readonly fields?: readonly string[] | undefined;
}

/** The message that a question is about. The form remembers it while it is open. */
export interface AskMemory {
  readonly channel: string;
  readonly threadTs: string;
  readonly author?: UserId | undefined;
  readonly text: string;
}

export interface FormText {
  /** In place of the title of the form. */
  readonly title?: string | undefined;
  readonly submit: string;
  readonly memory: FormMemory | AskMemory;
}

export function form(which: FormId | FormName, { title, submit, memory }: FormText, blocks: KnownBlock[]): ModalView {
  const named = typeof which === 'string' ? { id: which, title: FORMS[which].title } : which;
  return {
    type: 'modal',
    callback_id: named.id,
    title: plain(title ?? named.title, SLACK.modalTitleChars),
    submit: plain(submit, SLACK.modalTitleChars),
    close: plain('Cancel', SLACK.modalTitleChars),
    private_metadata: JSON.stringify(memory),
    blocks,
  };
}

/** The call that a form is about. */
export function calledTool(
  call: Pick<Approval, 'tool' | 'summary' | 'wants'>,
  chars: number = SHOWN.summaryChars,
): readonly KnownBlock[] {
  return [section('tool', mrkdwn`\`${toolName(call.tool)}\``), ...summaryBlocks('summary', call, chars)];
}

export interface TextField {
  readonly field: string;
  readonly label: string;
  readonly hint?: string;
  readonly most: number;
  readonly optional: boolean;
  readonly value?: string;
}

export function textField({ field, label, hint, most, optional, value }: TextField): InputBlock {
  return {
    type: 'input',
    block_id: field,
    label: plain(label, SHOWN.noteChars),
    optional,
    ...(hint === undefined ? {} : { hint: plain(hint, SHOWN.noteChars) }),
    element: {
      type: 'plain_text_input',
      action_id: field,
      multiline: true,
      max_length: most,
      ...given({ initial_value: value }),
    },
  };
}

/** A field to choose one person of the workspace. */
export function personField(field: string, label: string, hint: string): InputBlock {
  return {
    type: 'input',
    block_id: field,
    label: plain(label, SHOWN.noteChars),
    hint: plain(hint, SHOWN.noteChars),
    element: { type: 'users_select', action_id: field },
  };
}

/** A field to choose several options. None is chosen at first. */
export function severalField({ field, label, options }: ChoiceField): InputBlock {
  return {
    type: 'input',
    block_id: field,
    label: plain(label, SHOWN.noteChars),
    optional: true,
    element: { type: 'checkboxes', action_id: field, options: options.map(option) },
  };
}

export interface ChoiceField {
  readonly field: string;
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly value: string }[];
}

/** A field to choose one option. The first is chosen at first. */
export function choiceField({ field, label, options }: ChoiceField): InputBlock {
  const drawn = options.map(option);
  const [first] = drawn;
  return {
    type: 'input',
    block_id: field,
    label: plain(label, SHOWN.noteChars),
    element: {
      type: 'radio_buttons',
      action_id: field,
      options: drawn,
      ...given({ initial_option: first }),
    },
  };
}

function option({ text, value }: ChoiceField['options'][number]): PlainTextOption {
  return { text: plain(text, SLACK.optionChars), value };
}
