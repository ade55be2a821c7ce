import { given } from '../../given.ts';
import { barredFrom, stagesOf } from '../../journal/index.ts';
import { isGroup, LOOKED_UP, type Stage, type StoredDecisionRule, UserId } from '../../records/index.ts';
import type { Account } from '../people.ts';
import { type Candidates, lackWords, numberWord, type Out } from './lack-words.ts';

/** Whether a question can ever be answered. The gate, `explain` and `check` ask here: a call that no person can approve is not asked. */

export interface KnownOfCall {
  readonly requester: UserId;
  /** The people other than the requester who steered the call. */
  readonly alsoSteeredBy?: readonly UserId[];
  /** Members of user groups, and of the channel under its word. A group that is missing here may have any members. */
  readonly members?: ReadonlyMap<string, readonly string[]>;
  /** The accounts that were looked up. A person who is missing here counts as able. */
  readonly accounts?: ReadonlyMap<string, Account>;
}

/** A requester who is no approver: the id is none of Slack's. */
export const SOME_REQUESTER = UserId.parse('-');

/** Why no person can approve such a call, for the end of a sentence. `undefined` as long as people may be able to. */
export function whyNoApprover(
  rule: StoredDecisionRule,
  effect: 'asked' | 'guarded',
  known: KnownOfCall,
): string | undefined {
  if (seatPeople(rule, effect, known) !== undefined) return undefined;
  const stages = stagesOf(rule);
  const alone = ({ selfApproval }: StoredDecisionRule, { approvers, quorum }: Stage) =>
    seatPeople({ selfApproval, approvers, ...given({ quorum }) }, effect, known);
  const at = stages.findIndex((stage) => alone(rule, stage) === undefined);
  const stage = stages[at];
  if (stage === undefined) return 'the same people are named for several stages, and each of them counts once';
  const why = lackWords(stage, effect, candidates(rule, stage, effect, known));
  return stages.length === 1 ? why : `in stage ${numberWord(at + 1)}, ${why}`;
}

/** Gives each yes that the rule needs to a different person who is able to give it. `undefined`: there are too few. */
export function seatPeople(
  rule: StoredDecisionRule,
  effect: 'asked' | 'guarded',
  known: KnownOfCall,
): readonly string[] | undefined {
  const seats = stagesOf(rule).flatMap((stage) => {
    const { people, mayHoldMore } = candidates(rule, stage, effect, known);
    const able = [...people].flatMap(([person, out]) => (out === undefined ? [person] : []));
    return mayHoldMore ? [] : Array.from({ length: stage.quorum ?? 1 }, () => able);
  });
  return fillSeats(seats);
}

function candidates(
  rule: StoredDecisionRule,
  { approvers }: Stage,
  effect: 'asked' | 'guarded',
  { requester, alsoSteeredBy = [], members, accounts }: KnownOfCall,
): Candidates {
  const barred = barredFrom(rule, { requester, alsoSteeredBy });
  const whyOut = (person: string): Out | undefined => {
    if (barred.some((user) => user === person)) return person === requester ? 'asked' : 'steered';
    const account = accounts?.get(person);
    return account === undefined || account === 'person' || account === 'unknown' ? undefined : account;
  };
  // With no approver named, the requester decides about a call that is not guarded.
  if (approvers.length === 0)
    return { people: new Map(effect === 'guarded' ? [] : [[requester, whyOut(requester)]]), mayHoldMore: false };
  // Being in the channel is not enough to approve a guarded call.
  const counting = approvers.filter((approver) => approver !== 'channel' || effect !== 'guarded');
  const places = counting.filter((approver) => isGroup(approver) || approver === 'channel' || approver === LOOKED_UP);
  const people = counting.flatMap((approver): readonly string[] => {
    if (approver === 'requester') return [requester];
    return places.includes(approver) ? (members?.get(approver) ?? []) : [approver];
  });
  return {
    people: new Map(people.map((person) => [person, whyOut(person)])),
    mayHoldMore: places.some((place) => members?.has(place) !== true),
  };
}

/** Whether each seat can have a different person. Seats are filled in turn, and a person may move to another seat. */
function fillSeats(seats: readonly (readonly string[])[]): readonly string[] | undefined {
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
  return seats.every((_, at) => seat(at, new Set())) ? [...seatOf.keys()] : undefined;
}
