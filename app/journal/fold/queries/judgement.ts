import { canonical } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import { isLookedUp, LOOKED_UP } from '../../../records/index.ts';
import type { AskedUnder } from '../../facts/judgement.ts';
import type { AskedApproval } from '../asked.ts';
import { stagesOf } from './quorum.ts';

/** What the present rules say of a call. */
export interface Judged extends Omit<AskedUnder, 'effect'> {
  /** `denied`: the call does not run, even if a person approves it. */
  readonly effect: 'denied' | 'open' | 'asked' | 'guarded';
}

/** The rules a question was asked under, or those of the person's edit: an edited call may have other approvers. */
export function askedUnder({ effect, rule, secondFactor, digest, standing }: AskedApproval, of: string): AskedUnder {
  const edit = standing.status === 'decided' && of !== digest ? standing.decision.edit : undefined;
  return edit?.terms ?? { effect, rule, ...given({ secondFactor }) };
}

/** Whether the present rules would ask the same people in the same way, or not ask at all. */
export function judgedAlike(then: AskedUnder, now: Judged): boolean {
  if (now.effect === 'denied') return false;
  return now.effect === 'open' || nameOf(then) === nameOf(now);
}

/**
 * Neither the order of approvers nor the way a single stage is written makes a difference, nor whom a function named: the press
 * is judged by both, and a decision stays when another person is named later.
 */
function nameOf({ effect, rule, secondFactor }: Judged): string {
  const named = isLookedUp(rule) ? { ...rule, approvers: [LOOKED_UP] } : rule;
  const stages = stagesOf(named).map(({ approvers, quorum = 1 }) => ({ approvers: [...approvers].sort(), quorum }));
  return canonical({ effect, stages, selfApproval: rule.selfApproval, secondFactor: secondFactor === true });
}
