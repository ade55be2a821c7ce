import type { Approval } from '../../../app/records/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import {
  counts,
  type FormDeps,
  type FormEnd,
  memoryOf,
  NotOpenedError,
  openOnce,
  type Press,
  sentence,
  showIn,
  truthOf,
} from '../../responding/index.ts';
import { ANSWERS, confirmModal } from '../../views/index.ts';

/**
 * Asks a person who may approve a guarded call to confirm it. A press in the full view has the form in its place, so no trigger
 * can die. Any other form is opened whole, and a presser whose trigger died is told to press again.
 */
export async function askToConfirm(
  deps: Pick<FormDeps, 'client' | 'log'>,
  press: Press<'approval_approve'>,
  approval: Approval,
): Promise<void> {
  const form = confirmModal(approval, memoryOf(press, approval));
  if (press.place.type === 'view') return showIn(deps, press.place, form);
  await openOnce(deps, press.trigger, form).catch(async (error: unknown) => {
    if (!(error instanceof NotOpenedError)) throw error;
    deps.log.info('A form to confirm a call could not be opened', { approval: approval.id, by: press.by.user, error });
    await press.say(sentence(ANSWERS.pressAgain));
  });
}

/** Approves the call that the form showed. The right is judged again. */
export async function onConfirmed({ approvals, log }: FormDeps, { by, memory }: SubmittedForm): Promise<FormEnd> {
  const { approval, run, card, listed, confirms = '' } = memory;
  // From a list or a message elsewhere, the person read the call in the full view.
  const from = listed === true ? ({ type: 'full-view' } as const) : ({ type: 'card', card } as const);
  const result = await approvals.decide({ approval, run, verdict: 'approve', by, from, confirms });
  log.info('A form was answered', { approval, verdict: 'approve', by: by.user, result: result.type });
  return { type: counts(result) && listed === undefined ? 'done' : 'say', say: sentence(truthOf(result)) };
}
