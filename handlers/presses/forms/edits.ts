import type { ModalView } from '@slack/types';
import type { Approval, Decision, KnownTool } from '../../../app/records/index.ts';
import { filledIn, type SubmittedForm } from '../../payloads/index.ts';
import { endOf, type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import {
  confirmEditModal,
  type EditedFields,
  editProblemAt,
  FIELD,
  formNotTaken,
  readEdit,
} from '../../views/index.ts';
import { decideByForm } from './decide-by-form.ts';

type EditDeps = FormDeps & { readonly tools: () => readonly KnownTool[] };

/**
 * Approves a call with another input. An input that the tool refuses is marked at its field and decides nothing. Where the
 * call is guarded, a second form says what the edited call would do, and approves that call alone.
 */
export async function onEdited(deps: EditDeps, form: SubmittedForm): Promise<FormEnd> {
  const { confirms, fields } = form.memory;
  const read = await typed(deps, form);
  if (read.type === 'errors') return read;
  if (read.type === 'changed') return { type: 'say', say: sentence(formNotTaken([OTHER_FIELDS])) };
  const result = await decideByForm(deps, form, { verdict: 'approve', edit: read.json, confirms });
  switch (result.type) {
    case 'unfit':
      return {
        type: 'errors',
        errors: fields === undefined ? { [FIELD.input]: result.problem } : editProblemAt(fields, result.problem),
      };
    case 'unconfirmed':
      return result.edit === undefined
        ? { type: 'say', say: sentence(truthOf(result, form.by.user)) }
        : { type: 'show', view: secondForm(deps, form, result.approval, result.edit) };
    case 'decided':
      return { type: 'done', say: sentence(truthOf(result, form.by.user)) };
    default:
      return endOf(result, truthOf(result, form.by.user));
  }
}

const OTHER_FIELDS = 'The tool has other fields now than when the form was opened.';

function secondForm(
  deps: EditDeps,
  { memory: { terms: _, ...memory } }: SubmittedForm,
  approval: Approval,
  edit: NonNullable<Decision['edit']>,
): ModalView {
  return confirmEditModal(approval, edit, { memory, schema: schemaOf(deps, approval) });
}

async function typed({ approvals, tools }: EditDeps, form: SubmittedForm): Promise<EditedFields> {
  const { memory, values } = form;
  if (memory.fields === undefined) return { type: 'input', json: values.get(FIELD.input) ?? '' };
  const asked = await approvals.find(memory.approval);
  const schema = asked && schemaOf({ tools }, asked);
  return readEdit(JSON.stringify(schema ?? null), memory.fields, filledIn(form));
}

/** The schema of the input that a tool takes now. `undefined` when the tool is gone. */
export function schemaOf({ tools }: Pick<EditDeps, 'tools'>, { tool }: Pick<Approval, 'tool'>): unknown {
  return tools().find(({ name }) => name === tool)?.inputSchema;
}
