import type { InputBlock, ModalView } from '@slack/types';
import type { Approval, Decision } from '../../../app/records/index.ts';
import { channelNote, inputNotes, toolName, undeclaredNote } from '../card/call.ts';
import { changedInputBlocks } from '../card/input.ts';
import { footnote, letters, mrkdwn, paragraph, plain, section } from '../kit/blocks.ts';
import { FIELD, FORMS } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { visible } from '../kit/text.ts';
import { confirmQuestion, submitText } from './confirm-modal.ts';
import { editFields } from './edit-fields.ts';
import { type FormMemory, form, textField } from './form.ts';
import { drawField } from './schema/field-blocks.ts';

/**
 * The whole input, as fields of the tool's own schema where all of it fits, else as JSON in one field. What stands there
 * when it is submitted is what runs.
 */
export function editModal(approval: Approval, memory: FormMemory, schema?: unknown): ModalView {
  const { blocks, names } = inputFields(approval, schema);
  const isGuarded = approval.effect === 'guarded';
  return form('approval_edit', { submit: isGuarded ? 'Next' : 'Approve', memory: { ...memory, ...names } }, [
    section('tool', mrkdwn`\`${toolName(approval.tool)}\``),
    ...blocks,
    ...undeclaredNote(approval).map((note) => footnote('undeclared', [plain(note, SHOWN.noteChars)])),
    footnote('guarded', [plain(isGuarded ? GUARDED : ASKED, SHOWN.noteChars)]),
  ]);
}

/**
 * The second form of an edit, where the call is guarded: what the edited call does, with what was changed. The fields stay,
 * because Slack sends back only what stands in a form. If a person changes them again, the form is shown again.
 */
export function confirmEditModal(
  approval: Approval,
  edit: NonNullable<Decision['edit']>,
  { memory, schema }: { readonly memory: FormMemory; readonly schema: unknown },
): ModalView {
  // What would change, and what has changed, was said of the call as it was asked.
  const edited = { ...approval, preview: '', was: '', hides: [], ...edit };
  const notes = [...channelNote(edited), ...inputNotes(edited).map((note) => plain(note, SHOWN.noteChars))];
  const isWhole = memory.fields === undefined;
  const { blocks, names } = inputFields(edited, isWhole ? undefined : schema);
  const remembered = { ...memory, ...names, confirms: edit.digest };
  return form(
    'approval_edit',
    { title: FORMS.approval_confirm.title, submit: submitText(edited), memory: remembered },
    [
      confirmQuestion(edited),
      paragraph('tool', [letters(toolName(approval.tool), 'code')]),
      ...changedInputBlocks('changed', approval.input, edit.input),
      ...(notes.length === 0 ? [] : [footnote('notes', notes)]),
      ...blocks,
      footnote('again', [plain('If you change it once more, you are asked once more.', SHOWN.noteChars)]),
    ],
  );
}

/** The input as fields of the tool's own schema where all of it fits, else as JSON in one field. */
function inputFields(approval: Approval, schema: unknown) {
  const fields = schema === undefined ? undefined : editFields(approval.input, JSON.stringify(schema));
  const blocks = fields?.map(drawField);
  return blocks === undefined || bytesOf(blocks) > FIELDS_BYTES
    ? { blocks: [wholeField(approval)], names: { fields: undefined } }
    : { blocks, names: { fields: fields?.map(({ name }) => name) } };
}

/** Leaves room for the rest of the view. */
const FIELDS_BYTES = SLACK.viewBytes - 50_000;
const bytesOf = (blocks: readonly InputBlock[]): number => new TextEncoder().encode(JSON.stringify(blocks)).length;

function wholeField(approval: Approval): InputBlock {
  return textField({
    field: FIELD.input,
    label: 'Input, as JSON',
    hint: 'What you leave here is exactly what runs, once. Both versions are kept.',
    most: SHOWN.editedChars,
    optional: false,
    // What a person typed in one line may be longer with a line for each member.
    value: editText(approval.input) ?? approval.input.slice(0, SHOWN.editedChars),
  });
}

const GUARDED = 'This tool is guarded: the next page asks you once more.';
const ASKED = 'Your name stands on the card, with what you changed.';

/** An input that does not fit into one field would be cut, and the approver would approve more than the field shows. */
export function isEditable({ input }: Approval): boolean {
  return editText(input) !== undefined;
}

/** One member to a line. Invisible characters become JSON's own escapes, which mean the same. */
function editText(json: string): string | undefined {
  if (json.length > SHOWN.editedChars) return undefined;
  try {
    const lines = JSON.stringify(JSON.parse(json), null, 2);
    // Escapes make a text only longer, so this one cannot fit.
    if (lines.length > SHOWN.editedChars) return undefined;
    const text = lines.replace(UNUSUAL, (sign) => (visible(sign) === sign ? sign : escaped(sign)));
    return text.length <= SHOWN.editedChars ? text : undefined;
    // The input is no JSON. It is shown and decided on as it is, and cannot be edited.
  } catch {
    return undefined;
  }
}

/** Characters that have to be looked at one by one: all but plain ASCII. */
const UNUSUAL = /[^\n -~]/gu;

function escaped(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
