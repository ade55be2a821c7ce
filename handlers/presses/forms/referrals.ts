import { UserId } from '../../../app/records/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import { ANSWERS, FIELD } from '../../views/index.ts';

/** Asks another person by name to decide. */
export async function onReferred(
  { approvals, log }: FormDeps,
  { by, memory, values }: SubmittedForm,
): Promise<FormEnd> {
  const to = UserId.parse(values.get(FIELD.person));
  const result = await approvals.refer(memory.approval, by, to);
  log.info('A form was answered', { approval: memory.approval, by: by.user, to, result: result.type });
  switch (result.type) {
    case 'unfit':
      return { type: 'errors', errors: { [FIELD.person]: result.problem } };
    case 'referred':
      return { type: 'done', say: sentence(ANSWERS.referred) };
    case 'uncalled':
      return { type: 'tell', say: sentence(ANSWERS.uncalled) };
    default:
      return { type: 'say', say: sentence(truthOf(result, by.user)) };
  }
}
