import { hasPossibleApprover } from '../../../interventions/index.ts';
import { barredFrom, stagesOf } from '../../journal/index.ts';
import type { Stage, StoredDecisionRule, UserId } from '../../records/index.ts';
import { isGroup } from '../people.ts';
import { CHANNEL, inLibraryWords } from '../rights.ts';

/** Whether a question can ever be answered. A question without a possible approver is not asked. */

export interface SteeredCall {
  readonly alsoSteeredBy: readonly UserId[];
  /** Members of user groups, and of the channel under its word. A group that is missing here may have any members. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** Whether these people can ever approve, for any requester. A person who steered the call counts only with self-approval. */
export function somebodyCanDecide(
  rule: StoredDecisionRule,
  effect: 'asked' | 'guarded',
  requester: UserId,
  steered: SteeredCall = { alsoSteeredBy: [], members: new Map() },
): boolean {
  const everyStage = stagesOf(rule).every((stage) => {
    const words = inLibraryWords(rule, stage, requester);
    const groups = words.approverGroups.filter((group) => group !== CHANNEL || effect !== 'guarded');
    return hasPossibleApprover({ ...words, approverGroups: groups, effect }, requester);
  });
  if (!everyStage || rule.selfApproval || steered.alsoSteeredBy.length === 0) return everyStage;
  const barred: readonly string[] = ['requester', ...barredFrom(rule, { ...steered, requester })];
  const seats = stagesOf(rule).flatMap((stage) => {
    const able = candidates(stage, effect, { members: steered.members, barred });
    return able === 'unknown' ? [] : Array.from({ length: stage.quorum ?? 1 }, () => able);
  });
  return canSeat(seats);
}

/** The people who could still approve in this stage; `unknown` when a group may hold more of them. */
function candidates(
  { approvers }: Stage,
  effect: 'asked' | 'guarded',
  { members, barred }: Pick<SteeredCall, 'members'> & { readonly barred: readonly string[] },
): readonly string[] | 'unknown' {
  const able: string[] = [];
  for (const approver of approvers) {
    if (approver === CHANNEL && effect === 'guarded') continue;
    const found = isGroup(approver) || approver === CHANNEL ? members.get(approver) : [approver];
    if (found === undefined) return 'unknown';
    able.push(...found);
  }
  return able.filter((person) => !barred.includes(person));
}

/** Whether each seat can have a different person. Seats are filled in turn, and a person may move to another seat. */
function canSeat(seats: readonly (readonly string[])[]): boolean {
  const seatOf = new Map<string, number>();
  const seat = (at: number, tried: Set<string>): boolean =>
    (seats[at] ?? []).some((person) => {
      if (tried.has(person)) return false;
      tried.add(person);
      const taken = seatOf.get(person);
      if (taken !== undefined && !seat(taken, tried)) return false;
      seatOf.set(person, at);
      return true;
    });
  return seats.every((_, at) => seat(at, new Set()));
}
