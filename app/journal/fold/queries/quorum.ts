import { given } from '../../../given.ts';
import type { Progress, Stage, StoredDecisionRule, UserId, Yes } from '../../../records/index.ts';

/** Quorums: how many approvals a call has, and which stage is next. Pure. */

/** The stages of a rule. A rule without stages has a single one. */
export function stagesOf({ approvers, quorum, stages = [] }: StoredDecisionRule): readonly Stage[] {
  return stages.length > 0 ? stages : [{ approvers, ...given({ quorum }) }];
}

/** True when one person cannot decide alone. Then no person may change the input or give trust alone. */
export function needsSeveral(rule: StoredDecisionRule): boolean {
  return stagesOf(rule).reduce((sum, { quorum = 1 }) => sum + quorum, 0) > 1;
}

export interface QuorumProgress {
  /** Position in `stagesOf`. */
  readonly stage: number;
  readonly given: number;
  readonly needed: number;
  /** One more approval decides the call. */
  readonly last: boolean;
}

/** Approvals fill the stages in order. Each person counts once, so the order of presses does not change the result. */
export function quorumProgress(rule: StoredDecisionRule, yeses: readonly Yes[]): QuorumProgress {
  const stages = stagesOf(rule);
  let left = yeses.length;
  for (const [stage, { quorum: needed = 1 }] of stages.entries()) {
    const isLastStage = stage === stages.length - 1;
    if (left < needed || isLastStage) return { stage, given: left, needed, last: isLastStage && left + 1 >= needed };
    left -= needed;
  }
  return { stage: 0, given: 0, needed: 1, last: true };
}

/** The stage of each approval. */
export function stagesOfYeses(rule: StoredDecisionRule, yeses: readonly Yes[]): readonly number[] {
  return yeses.map((_, at) => quorumProgress(rule, yeses.slice(0, at)).stage);
}

/**
 * The approvals that remain when some people may no longer decide. Approvals of later stages are dropped too: they were given
 * because the earlier stage was complete, which it no longer is.
 */
export function yesesLeft(
  rule: StoredDecisionRule,
  yeses: readonly Yes[],
  lost: readonly UserId[],
): { readonly kept: readonly Yes[]; readonly dropped: readonly UserId[] } {
  const stages = stagesOfYeses(rule, yeses);
  const broken = Math.min(...stages.filter((_, at) => lost.some((user) => user === yeses[at]?.by)));
  const isKept = ({ by }: Yes, at: number) => !lost.includes(by) && (stages[at] ?? 0) <= broken;
  const dropped = yeses.filter((yes, at) => !isKept(yes, at)).map(({ by }) => by);
  return { kept: yeses.filter(isKept), dropped };
}

/** The progress that the card shows; `undefined` where one person decides. */
export function progressOf(
  rule: StoredDecisionRule,
  yeses: readonly Yes[],
  dropped: readonly UserId[],
): Progress | undefined {
  if (!needsSeveral(rule)) return undefined;
  const stages = stagesOf(rule);
  const { stage, given, needed } = quorumProgress(rule, yeses);
  const approvers: readonly UserId[] = stages[stage]?.approvers ?? [];
  return {
    yeses,
    stage: stage + 1,
    stages: stages.length,
    given,
    needed,
    approvers,
    ...(dropped.length === 0 ? {} : { dropped }),
  };
}

/** The people named in the present stage who have not approved, without the requester. Words and groups name no person. */
export function namedNow(rule: StoredDecisionRule, requester: UserId, yeses: readonly Yes[]): readonly UserId[] {
  const { approvers = [] } = stagesOf(rule)[quorumProgress(rule, yeses).stage] ?? {};
  const left = approvers.filter((approver) => approver !== requester && !yeses.some(({ by }) => by === approver));
  return [...new Set(left.filter(isPerson))];
}

/** All people who may have got a direct message for this stage. */
export function peopleOf(rule: StoredDecisionRule, requester: UserId, stage: number): readonly UserId[] {
  const { approvers = [] } = stagesOf(rule)[stage] ?? {};
  const people = approvers.map((approver) => (approver === 'requester' ? requester : approver)).filter(isPerson);
  return [...new Set(approvers.length === 0 ? [requester] : people)];
}

const isPerson = (approver: string): boolean => /^[UW][A-Z0-9]+$/.test(approver);
