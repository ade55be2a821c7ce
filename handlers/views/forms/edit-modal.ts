import type { InputBlock, ModalView } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { toolName, undeclaredNote } from '../card/call.ts';
import { footnote, mrkdwn, plain, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN } from '../kit/limits.ts';
import { visible } from '../kit/text.ts';
import { editFields } from './edit-fields.ts';
import { type FormMemory, form, textField } from './form.ts';
import { drawField } from './schema/field-blocks.ts';

/**
 * The whole input: as fields of the tool's own, where all of it fits into them, else as JSON in one. What stands there when
 * it is submitted is what runs.
 */
export function editModal(approval: Approval, memory: FormMemory, schema?: unknown): ModalView {
  const fields = schema === undefined ? undefined : editFields(approval.input, JSON.stringify(schema));
  const names = fields === undefined ? {} : { fields: fields.map(({ name }) => name) };
  return form('approval_edit', { submit: 'Approve', memory: { ...memory, ...names } }, [
    section('tool', mrkdwn`\`${toolName(approval.tool)}\``),
    ...(fields?.map(drawField) ?? [wholeField(approval)]),
    ...undeclaredNote(approval).map((note) => footnote('undeclared', [plain(note, SHOWN.noteChars)])),
    footnote('guarded', [plain(approval.effect === 'guarded' ? GUARDED : ASKED, SHOWN.noteChars)]),
  ]);
}

function wholeField(approval: Approval): InputBlock {
  return textField({
    field: FIELD.input,
    label: 'Input, as JSON',
    hint: 'Approve runs exactly what stands here, once. Both versions are kept.',
    most: SHOWN.editedChars,
    optional: false,
    value: editText(approval.input) ?? '',
  });
}

const GUARDED = 'This tool is guarded: what it does may not be possible to undo.';
const ASKED = 'Your name stands on the card, with what you changed.';

/** What does not fit into one field would be cut in it, and nobody could see what else they approve. */
export function isEditable({ input }: Approval): boolean {
  return editText(input) !== undefined;
}

/** One member to a line; what nobody could see in a field is written as JSON's own escapes, which mean the same. */
function editText(json: string): string | undefined {
  if (json.length > SHOWN.editedChars) return undefined;
  try {
    const lines = JSON.stringify(JSON.parse(json), null, 2);
    // Escapes only make it longer.
    if (lines.length > SHOWN.editedChars) return undefined;
    const text = lines.replace(UNUSUAL, (sign) => (visible(sign) === sign ? sign : escaped(sign)));
    return text.length <= SHOWN.editedChars ? text : undefined;
  } catch {
    // Odd inputs are shown and decided on as they are.
    return undefined;
  }
}

/** Each sign that is not seen at once to be one that people see: most of an input is plain letters. */
const UNUSUAL = /[^\n -~]/gu;

function escaped(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
