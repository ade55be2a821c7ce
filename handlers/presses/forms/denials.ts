import { given } from '../../../app/given.ts';
import type { Thread, UserId } from '../../../app/records/index.ts';
import type { Runs } from '../../../app/runs/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { endOf, type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import { ANSWERS, FIELD, joinSentences, type Mrkdwn, NEXT } from '../../views/index.ts';
import { decideByForm } from './decide-by-form.ts';

export type DenialDeps = FormDeps & { readonly runs: Pick<Runs, 'stop'> };

/** Denies a call with a reason, and stops the run if the form says so. If another person was faster, the answer says who. */
export async function onDenied(deps: DenialDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, values } = submitted;
  const result = await decideByForm(deps, submitted, { verdict: 'deny', ...reasonIn(submitted) });
  const truth = truthOf(result, by.user);
  const decided = result.type === 'decided';
  // The process that took the denial may have died before the stop, and the person sends the form again.
  const stops = values.get(FIELD.next) === NEXT.stop && (decided || 'repeats' in result);
  if (!stops) return decided ? { type: 'done', say: sentence(truth) } : endOf(result, truth);
  const end = stoppedToo(truth, await stopToo(deps, result.approval.thread, by.user));
  return decided ? end : { type: 'say', say: end.say };
}

export function reasonIn({ values }: Pick<SubmittedForm, 'values'>): { readonly reason?: string } {
  return given({ reason: values.get(FIELD.reason)?.trim() || undefined });
}

/** Stops the run as well. The refusal stands even if the stop fails. */
export async function stopToo({ runs, log }: DenialDeps, thread: Thread, by: UserId): Promise<'stopped' | 'failed'> {
  try {
    await runs.stop(thread, by);
    return 'stopped';
    // The store may be out of reach. The presser is told that the run was not stopped.
  } catch (error) {
    log.warn('A run was to be stopped and could not be', { channel: thread.channel, error });
    return 'failed';
  }
}

/** No card shows that a run could not be stopped. */
export function stoppedToo(
  truth: Mrkdwn,
  stop: 'stopped' | 'failed',
): Extract<FormEnd, { readonly type: 'done' | 'tell' }> {
  return stop === 'stopped'
    ? { type: 'done', say: sentence(joinSentences(truth, ANSWERS.stoppedToo)) }
    : { type: 'tell', say: sentence(joinSentences(truth, ANSWERS.notStopped)) };
}
