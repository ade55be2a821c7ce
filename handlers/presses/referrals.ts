import { UserId } from '../../app/records/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { type Answer, type FormDeps, type FormEnd, onSubmitted, sentence, truthOf } from '../responding/index.ts';
import { ANSWERS, FIELD, REFER_TITLE } from '../views/index.ts';

/** Somebody asks somebody else to decide. */
export function onReferred(deps: FormDeps): Answer {
  const decide = async ({ by, memory, values }: SubmittedForm): Promise<FormEnd> => {
    const to = UserId.parse(values.get(FIELD.person));
    const result = await deps.approvals.refer(memory.approval, by, to);
    deps.log.info('A form was answered', { approval: memory.approval, by: by.user, to, result: result.type });
    switch (result.type) {
      case 'unfit':
        return { type: 'errors', errors: { [FIELD.person]: result.problem } };
      case 'referred':
        return { type: 'done', say: sentence(ANSWERS.referred) };
      case 'uncalled':
        return { type: 'done', say: sentence(ANSWERS.uncalled) };
      default:
        return { type: 'say', say: sentence(truthOf(result)) };
    }
  };
  return onSubmitted(deps, { title: REFER_TITLE, decide });
}
