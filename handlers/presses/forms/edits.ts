import type { KnownTool } from '../../../app/records/index.ts';
import { filledIn, type SubmittedForm } from '../../payloads/index.ts';
import { type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import { ANSWERS, type EditedFields, editProblemAt, FIELD, readEdit } from '../../views/index.ts';

type EditDeps = FormDeps & { readonly tools: () => readonly KnownTool[] };

/** Approves a call with another input. An input that the tool refuses is marked at its field and decides nothing. */
export async function onEdited(deps: EditDeps, form: SubmittedForm): Promise<FormEnd> {
  const { by, memory } = form;
  const { approval, card } = memory;
  const read = await typed(deps, form);
  if (read.type === 'errors') return read;
  if (read.type === 'changed') return { type: 'say', say: sentence(ANSWERS.formNotTaken) };
  const edit = read.json;
  const from = { type: 'card', card } as const;
  const result = await deps.approvals.decide({ approval, verdict: 'approve', by, from, edit });
  deps.log.info('A form was answered', { approval, verdict: 'approve', by: by.user, result: result.type });
  switch (result.type) {
    case 'unfit':
      return {
        type: 'errors',
        errors:
          memory.fields === undefined
            ? { [FIELD.input]: result.problem }
            : editProblemAt(memory.fields, result.problem),
      };
    case 'decided':
      return { type: 'done', say: sentence(truthOf(result)) };
    default:
      return { type: 'say', say: sentence(truthOf(result)) };
  }
}

async function typed({ approvals, tools }: EditDeps, form: SubmittedForm): Promise<EditedFields> {
  const { memory, values } = form;
  if (memory.fields === undefined) return { type: 'input', json: values.get(FIELD.input) ?? '' };
  const asked = await approvals.find(memory.approval);
  const schema = tools().find(({ name }) => name === asked?.tool)?.inputSchema;
  return readEdit(JSON.stringify(schema ?? null), memory.fields, filledIn(form));
}
