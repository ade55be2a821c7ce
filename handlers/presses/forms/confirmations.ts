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
import { decideByForm } from './decide-by-form.ts';

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
export async function onConfirmed(deps: FormDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { listed, confirms = '' } = submitted.memory;
  // From a list or a message elsewhere, the person read the call in the full view.
  const read = listed === true ? { from: { type: 'full-view' } as const } : {};
  const result = await decideByForm(deps, submitted, { verdict: 'approve', confirms, ...read });
  return {
    type: counts(result) && listed === undefined ? 'done' : 'say',
    say: sentence(truthOf(result, submitted.by.user)),
  };
}
