import type { DecideResult, VerdictPress } from '../../../app/approvals/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import type { FormDeps } from '../../responding/index.ts';

/** Decides what a submitted form says. Without `from`, the person read the call on the card that the form remembers. */
export async function decideByForm(
  { approvals, log }: Pick<FormDeps, 'approvals' | 'log'>,
  { by, memory: { approval, run, card } }: Pick<SubmittedForm, 'by' | 'memory'>,
  press: Pick<VerdictPress, 'verdict'> & Partial<VerdictPress>,
): Promise<DecideResult> {
  const result = await approvals.decide({ approval, run, by, from: { type: 'card', card }, ...press });
  log.info('A form was answered', { approval, verdict: press.verdict, by: by.user, result: result.type });
  return result;
}
