import type { DecideResult } from '../../../app/approvals/index.ts';
import type { UserId } from '../../../app/records/index.ts';
import type { Runs } from '../../../app/runs/index.ts';
import { type FormDeps, type FormEnd, onSubmitted, sentence, truthOf } from '../../responding/index.ts';
import { ANSWERS, FIELD, type Mrkdwn, NEXT, together } from '../../views/index.ts';

type DenialDeps = FormDeps & { readonly runs: Pick<Runs, 'stop'> };

export const DENY_TITLE = 'Deny with a reason';

/** A person denies a call with a reason and says what comes next. If another person was faster, the answer names them and nothing changes. */
export const onDenied = onSubmitted(DENY_TITLE, async (deps: DenialDeps, { by, memory, values }): Promise<FormEnd> => {
  const { approval, card } = memory;
  const reason = values.get(FIELD.reason)?.trim() ?? '';
  const result = await deps.approvals.decide({
    approval,
    verdict: 'deny',
    by,
    from: { type: 'card', card },
    ...(reason === '' ? {} : { reason }),
  });
  deps.log.info('A form was answered', { approval, verdict: 'deny', by: by.user, result: result.type });
  if (result.type !== 'decided') {
    return { type: 'say', say: sentence(truthOf(result)) };
  }
  const stops = values.get(FIELD.next) === NEXT.stop;
  return { type: 'done', say: sentence(stops ? await stopped(deps, result, by.user) : truthOf(result)) };
});

/** The refusal stands whatever becomes of the stop. */
async function stopped(
  { runs, log }: DenialDeps,
  denied: DecideResult & { readonly type: 'decided' },
  by: UserId,
): Promise<Mrkdwn> {
  const { thread } = denied.approval;
  const stop = await runs.stop(thread, by).catch((error: unknown) => {
    log.warn('A run was to be stopped and could not be', { channel: thread.channel, error });
    return 'failed' as const;
  });
  return together(truthOf(denied), stop === 'failed' ? ANSWERS.notStopped : ANSWERS.stoppedToo);
}
