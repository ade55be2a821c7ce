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
 * The whole input, as fields of the tool's own schema where all of it fits, else as JSON in one field. What stands there
 * when it is submitted is what runs.
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
