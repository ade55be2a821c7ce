import type { Answer } from './arrival.ts';
import { type FormDeps, type FormEnd, onSubmitted } from './forms.ts';
import type { SubmittedForm } from './parse-press.ts';
import { sentence } from './trusting.ts';
import { truthOf } from './truths.ts';
import { FIELD } from './views/action-ids.ts';
import { messageModal } from './views/input-modal.ts';

export const EDIT_TITLE = 'Edit input';

/** Somebody approved a call with another input. What the tool would not take is said at the field, and decides nothing. */
export function onEdited(deps: FormDeps): Answer {
  const decide = async ({ by, memory, values }: SubmittedForm): Promise<FormEnd> => {
    const { approval, card } = memory;
    const edit = values.get(FIELD.input) ?? '';
    const from = { type: 'card', card } as const;
    const result = await deps.approvals.decide({ approval, verdict: 'approve', by, from, edit });
    deps.log.info('A form was answered', { approval, verdict: 'approve', by: by.user, result: result.type });
    switch (result.type) {
      case 'unfit':
        return { type: 'errors', errors: { [FIELD.input]: result.problem } };
      case 'decided':
        return { type: 'done', say: sentence(truthOf(result)) };
      default:
        return { type: 'show', view: messageModal(sentence(truthOf(result)), EDIT_TITLE) };
    }
  };
  return onSubmitted(deps, { title: EDIT_TITLE, decide });
}
