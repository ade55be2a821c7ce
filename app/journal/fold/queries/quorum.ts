import { given } from '../../../given.ts';
import type { Progress, Stage, StoredDecisionRule, UserId, Yes } from '../../../records/index.ts';

/** Several people for one call: how many have said yes, and whose turn it is. Pure. */

/** The stages of a rule; one without any is a stage of its own. */
export function stagesOf({ approvers, quorum, stages = [] }: StoredDecisionRule): readonly Stage[] {
  return stages.length > 0 ? stages : [{ approvers, ...given({ quorum }) }];
}

/** One person cannot decide alone, so nobody can change the input or give trust alone either. */
export function needsSeveral(rule: StoredDecisionRule): boolean {
  return stagesOf(rule).reduce((sum, { quorum = 1 }) => sum + quorum, 0) > 1;
}

export interface QuorumPlace {
  /** Position in `stagesOf`. */
  readonly stage: number;
  readonly given: number;
  readonly needed: number;
  /** One more yes, and it is decided. */
  readonly last: boolean;
}

/** Yeses fill the stages in order; nobody counts twice, so no order of presses comes to another end. */
export function placeOf(rule: StoredDecisionRule, yeses: readonly Yes[]): QuorumPlace {
  const stages = stagesOf(rule);
  let left = yeses.length;
  for (const [stage, { quorum: needed = 1 }] of stages.entries()) {
    const isLastStage = stage === stages.length - 1;
    if (left < needed || isLastStage) return { stage, given: left, needed, last: isLastStage && left + 1 >= needed };
    left -= needed;
  }
  return { stage: 0, given: 0, needed: 1, last: true };
}

/** In which stage each yes stands. */
export function stagesOfYeses(rule: StoredDecisionRule, yeses: readonly Yes[]): readonly number[] {
  return yeses.map((_, at) => placeOf(rule, yeses.slice(0, at)).stage);
}

/**
 * What is left of the yeses when some people may not decide any more. Whoever came in a later stage did so because an
 * earlier one was complete, so their turn is to come again.
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

/** What the card says of it; nothing, where one person decides. */
export function progressOf(
  rule: StoredDecisionRule,
  yeses: readonly Yes[],
  dropped: readonly UserId[],
): Progress | undefined {
  if (!needsSeveral(rule)) return undefined;
  const stages = stagesOf(rule);
  const { stage, given, needed } = placeOf(rule, yeses);
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

/** People other than the requester who are named, whose turn it is, and who have not had their say. Words and groups are nobody. */
export function namedNow(rule: StoredDecisionRule, requester: UserId, yeses: readonly Yes[]): readonly UserId[] {
  const { approvers = [] } = stagesOf(rule)[placeOf(rule, yeses).stage] ?? {};
  const left = approvers.filter((approver) => approver !== requester && !yeses.some(({ by }) => by === approver));
  return [...new Set(left.filter(isPerson))];
}

/** Everybody who may have been told by themselves that it is their turn in this stage. */
export function peopleOf(rule: StoredDecisionRule, requester: UserId, stage: number): readonly UserId[] {
  const { approvers = [] } = stagesOf(rule)[stage] ?? {};
  const people = approvers.map((approver) => (approver === 'requester' ? requester : approver)).filter(isPerson);
  return [...new Set(approvers.length === 0 ? [requester] : people)];
}

const isPerson = (approver: string): boolean => /^[UW][A-Z0-9]+$/.test(approver);
