import { z } from 'zod';
import { canonical } from '../../../interventions/index.ts';
import { type ApprovalId, DecisionRule } from '../../records/index.ts';
import type { AskedApproval } from '../fold/state.ts';
import { stagesOf } from './quorum.ts';

/** What a yes was given under: the class of the call and who decides about it. A rule of another day is another question. */
export const AskingTerms = z
  .object({ effect: z.enum(['asked', 'guarded']), rule: DecisionRule, secondFactor: z.literal(true).optional() })
  .readonly();
export type AskingTerms = z.infer<typeof AskingTerms>;

/** As a rule of now would have it; where nobody would be asked at all, whatever people said is good enough. */
export type TermsNow = Omit<AskingTerms, 'effect'> & { readonly effect: 'denied' | 'open' | 'asked' | 'guarded' };

/** The terms of a question, or of what a person made of the call: an edited one may be for other people. */
export function termsOf({ effect, rule, secondFactor, digest, standing }: AskedApproval, of: string): AskingTerms {
  const edit = standing.status === 'decided' && of !== digest ? standing.decision.edit : undefined;
  return edit?.terms ?? { effect, rule, ...(secondFactor === undefined ? {} : { secondFactor }) };
}

/** Would it be put to the same people in the same way now? */
export function termsHold(then: AskingTerms, now: TermsNow): boolean {
  if (now.effect === 'denied') return false;
  return now.effect === 'open' || nameOf(then) === nameOf(now);
}

/** The order in which people are named, and how a lone stage is written, mean nothing. */
function nameOf({ effect, rule, secondFactor }: TermsNow): string {
  const stages = stagesOf(rule).map(({ approvers, quorum = 1 }) => ({ approvers: [...approvers].sort(), quorum }));
  return canonical({ effect, stages, selfApproval: rule.selfApproval, secondFactor: secondFactor === true });
}

/** What a yes is bound to, as it would be asked for now. */
export function termsNow(
  { secondFactor }: { readonly secondFactor?: boolean | undefined },
  { effect, rule }: Pick<TermsNow, 'effect' | 'rule'>,
): TermsNow {
  return { effect, rule, ...(secondFactor === true ? { secondFactor } : {}) };
}

/** The question is taken back, and whoever has the call in hand puts it anew. */
export function rulesChanged(approval: ApprovalId) {
  const cause = 'The rules for this call have changed since it was asked.';
  return { type: 'call-cancelled', approval, cause, again: true } as const;
}
