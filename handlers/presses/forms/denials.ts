import { given } from '../../../app/given.ts';
import type { Approval, UserId } from '../../../app/records/index.ts';
import type { Runs } from '../../../app/runs/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { endOf, type FormDeps, type FormEnd, sentence, truthOf } from '../../responding/index.ts';
import { ANSWERS, FIELD, joinSentences, type Mrkdwn, NEXT } from '../../views/index.ts';
import { decideByForm } from './decide-by-form.ts';

export type DenialDeps = FormDeps & { readonly runs: Pick<Runs, 'stopRun'> };

/** Denies a call with a reason, and stops the run if the form says so. If another person was faster, the answer says who. */
export async function onDenied(deps: DenialDeps, submitted: SubmittedForm): Promise<FormEnd> {
  const { by, values } = submitted;
  const result = await decideByForm(deps, submitted, { verdict: 'deny', ...reasonIn(submitted) });
  const truth = truthOf(result, by.user);
  const decided = result.type === 'decided';
  // The process that took the denial may have died before the stop, and the person sends the form again.
  const stops = values.get(FIELD.next) === NEXT.stop && (decided || 'repeats' in result);
  if (!stops) return decided ? { type: 'done', say: sentence(truth) } : endOf(result, truth);
  const end = stoppedToo(truth, await stopToo(deps, result.approval, by.user));
  return decided ? end : { type: 'say', say: end.say };
}

export function reasonIn({ values }: Pick<SubmittedForm, 'values'>): { readonly reason?: string } {
  return given({ reason: values.get(FIELD.reason)?.trim() || undefined });
}

type StoppedToo = 'stopped' | 'nothing-runs' | 'failed';
const SAYS = { stopped: ANSWERS.stoppedToo, 'nothing-runs': ANSWERS.runOver, failed: ANSWERS.notStopped } as const;

/** Stops the run as well. The refusal stands even if the stop fails. */
export async function stopToo({ runs, log }: DenialDeps, approval: Approval, by: UserId): Promise<StoppedToo> {
  try {
    return await runs.stopRun(approval, by);
    // The store may be out of reach. The presser is told that the run was not stopped.
  } catch (error) {
    log.warn('A run was to be stopped and could not be', { channel: approval.thread.channel, error });
    return 'failed';
  }
}

/** No card shows that a run could not be stopped. */
export function stoppedToo(truth: Mrkdwn, stop: StoppedToo): Extract<FormEnd, { readonly type: 'done' | 'tell' }> {
  const say = sentence(joinSentences(truth, SAYS[stop]));
  return stop === 'stopped' ? { type: 'done', say } : { type: 'tell', say };
}
