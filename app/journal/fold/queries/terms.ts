import { canonical } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import type { AskingTerms } from '../../facts/terms.ts';
import type { AskedApproval } from '../asked.ts';
import { stagesOf } from './quorum.ts';

/** As a rule of now would have it; where nobody would be asked at all, whatever people said is good enough. */
export type TermsNow = Omit<AskingTerms, 'effect'> & { readonly effect: 'denied' | 'open' | 'asked' | 'guarded' };

/** The terms of a question, or of what a person made of the call: an edited one may be for other people. */
export function termsOf({ effect, rule, secondFactor, digest, standing }: AskedApproval, of: string): AskingTerms {
  const edit = standing.status === 'decided' && of !== digest ? standing.decision.edit : undefined;
  return edit?.terms ?? { effect, rule, ...given({ secondFactor }) };
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
