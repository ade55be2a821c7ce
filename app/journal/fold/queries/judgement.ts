import { canonical } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import type { AskedUnder } from '../../facts/judgement.ts';
import type { AskedApproval } from '../asked.ts';
import { stagesOf } from './quorum.ts';

/** What the rules make of a call. Where nobody would be asked at all, whatever people said is good enough. */
export interface Judged extends Omit<AskedUnder, 'effect'> {
  /** `denied`: it does not run, whoever would say yes. */
  readonly effect: 'denied' | 'open' | 'asked' | 'guarded';
}

/** Of a question, or of what a person made of the call: an edited one may be for other people. */
export function askedUnder({ effect, rule, secondFactor, digest, standing }: AskedApproval, of: string): AskedUnder {
  const edit = standing.status === 'decided' && of !== digest ? standing.decision.edit : undefined;
  return edit?.terms ?? { effect, rule, ...given({ secondFactor }) };
}

/** Would it be put to the same people in the same way now? */
export function judgedAlike(then: AskedUnder, now: Judged): boolean {
  if (now.effect === 'denied') return false;
  return now.effect === 'open' || nameOf(then) === nameOf(now);
}

/** The order in which people are named, and how a lone stage is written, mean nothing. */
function nameOf({ effect, rule, secondFactor }: Judged): string {
  const stages = stagesOf(rule).map(({ approvers, quorum = 1 }) => ({ approvers: [...approvers].sort(), quorum }));
  return canonical({ effect, stages, selfApproval: rule.selfApproval, secondFactor: secondFactor === true });
}
