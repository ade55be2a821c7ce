import type { ModalView, RichTextBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { channelNote, digestNote, inputNotes, severalWords, toolName } from '../card/call.ts';
import { inputBlocks, REMINDER } from '../card/input.ts';
import { footnote, letters, paragraph, plain, prose } from '../kit/blocks.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { type FormMemory, form } from './form.ts';

/**
 * The second press on a guarded call: what will be done, in the tool's own sentence, with its verb on the button. The form
 * remembers the digest of the call that it shows.
 */
export function confirmModal(approval: Approval, memory: FormMemory): ModalView {
  const { tool, input, digest } = approval;
  const words = [...digestNote(approval, REMINDER), ...inputNotes(approval)];
  const notes = [
    ...severalWords(approval),
    ...channelNote(approval),
    ...words.map((note) => plain(note, SHOWN.noteChars)),
  ];
  return form('approval_confirm', { submit: submitText(approval), memory: { ...memory, confirms: digest } }, [
    confirmQuestion(approval),
    paragraph('tool', [letters(toolName(tool), 'code')]),
    ...inputBlocks('input', input, REMINDER),
    ...(notes.length === 0 ? [] : [footnote('notes', notes)]),
  ]);
}

/** What will be done, in the tool's own sentence. */
export function confirmQuestion(approval: Approval): RichTextBlock {
  return prose('what', `${question(approval)} This cannot be undone.`, SLACK.sectionChars);
}

/** Both ends of a long sentence say more than its beginning alone. */
function question({ tool, summary }: Approval): string {
  const said = summary.trim().replace(/\s+/g, ' ') || `Run ${toolName(tool)}`;
  return `${cutMiddle(said, SHOWN.confirmChars).replace(/(?<![.!?…])[.!?…]+$/, '')}?`;
}

/** The first word of the sentence, behind a yes: a verb alone could be one that reads like a no. */
export function submitText({ summary }: Approval): string {
  const [, verb] = /^([A-Z][a-z]{1,15})(?= )/.exec(summary.trim()) ?? [];
  return verb === undefined ? 'Yes, approve' : `Yes, ${verb.toLowerCase()}`;
}
