import { hasPossibleApprover, type MayNotDecide, mayDecide } from '../../interventions/index.ts';
import { stagesOf } from '../journal/index.ts';
import type { DecisionRule, Stage, UserId } from '../records/index.ts';
import { isGroup, type PersonFacts } from './people.ts';

/** Who may decide about one call, stage by stage. The question itself is answered by one pure function of the library. */

export type Right =
  /** In these stages, by position. */
  { readonly type: 'allowed'; readonly stages: readonly number[] } | { readonly type: 'refused'; readonly why: string };

/** The right over a question that was asked before: the rules may be others by now, and then only a no counts. */
export type RightNow = Right | { readonly type: 'outdated'; readonly why: string };

export interface RightFacts {
  readonly requester: UserId;
  /** The people other than the requester who steered the call. */
  readonly alsoSteeredBy: readonly UserId[];
  /** The workspace the thread lives in. */
  readonly threadTeam: string;
  readonly presser: PersonFacts;
}

/** May this person decide, now? With a sentence that says why not. */
export function rightToDecide(rule: DecisionRule, effect: 'asked' | 'guarded', facts: RightFacts): Right {
  const { presser, requester, alsoSteeredBy, threadTeam } = facts;
  if (presser.account === 'unknown') return { type: 'refused', why: WHO.unknown };
  if (presser.team !== threadTeam || presser.account === 'outsider') {
    return { type: 'refused', why: 'You belong to another workspace, and only people of this one can decide.' };
  }
  if (presser.account !== 'person') return { type: 'refused', why: WHO[presser.account] };
  const answers = stagesOf(rule).map((stage) =>
    mayDecide(
      { ...inLibraryWords(rule, stage, requester), effect },
      {
        requester,
        presser: presser.user,
        account: 'person',
        // Being in the channel is not enough for what cannot be undone.
        presserGroups: [...presser.groups, ...(presser.inChannel && effect !== 'guarded' ? [CHANNEL] : [])],
      },
    ),
  );
  const stages = answers.flatMap((answer, stage) => (answer.type === 'allowed' ? [stage] : []));
  if (stages.length > 0 && !rule.selfApproval && alsoSteeredBy.includes(presser.user)) {
    return { type: 'refused', why: STEERED };
  }
  if (stages.length > 0) return { type: 'allowed', stages };
  const refusals = answers.flatMap((answer) => (answer.type === 'refused' ? [answer] : []));
  const [first] = [...refusals].sort((one, other) => PLAINEST.indexOf(other.reason) - PLAINEST.indexOf(one.reason));
  return { type: 'refused', why: first?.message ?? 'You cannot decide about this call.' };
}

const STEERED =
  'You wrote to me in this thread before I asked for this call, so you helped to ask for it. Another person has to decide about it.';

/** Of several stages, what a person wants to hear is why they may not, not whom else one of the stages names. */
const PLAINEST: readonly MayNotDecide[] = ['not-an-approver', 'self-approval'];

const WHO: Readonly<Record<Exclude<PersonFacts['account'], 'person' | 'outsider'>, string>> = {
  guest: 'Guests cannot decide. Ask a full member of this workspace.',
  bot: 'Only a person with an active account can decide.',
  deactivated: 'Only a person with an active account can decide.',
  unknown: 'I could not find out who you are just now, and until I know nobody decides. Press again in a moment.',
};

export interface SteeredCall {
  readonly alsoSteeredBy: readonly UserId[];
  /** Members of user groups, and of the channel under its word. A group that is missing may have any members. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** Can these people ever come to a yes, whoever asked? A person who steered the call counts only with self-approval. */
export function somebodyCanDecide(
  rule: DecisionRule,
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
  const seats = stagesOf(rule).flatMap((stage) => {
    const able = candidates(stage, effect, { ...steered, requester });
    return able === 'unknown' ? [] : Array.from({ length: stage.quorum ?? 1 }, () => able);
  });
  return canSeat(seats);
}

/** The people who could still say yes in this stage; `unknown` where a group may hold more of them. */
function candidates(
  { approvers }: Stage,
  effect: 'asked' | 'guarded',
  { requester, alsoSteeredBy, members }: SteeredCall & { readonly requester: UserId },
): readonly string[] | 'unknown' {
  const able: string[] = [];
  for (const approver of approvers) {
    if (approver === CHANNEL && effect === 'guarded') continue;
    const found = isGroup(approver) || approver === CHANNEL ? members.get(approver) : [approver];
    if (found === undefined) return 'unknown';
    able.push(...found);
  }
  const excluded: readonly string[] = ['requester', requester, ...alsoSteeredBy];
  return able.filter((person) => !excluded.includes(person));
}

/** Is there a different person for each seat? Each seat is given in turn, and whoever sits there may move to another. */
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

const CHANNEL = 'channel';

function inLibraryWords({ selfApproval }: DecisionRule, { approvers, quorum }: Stage, requester: UserId) {
  const people = approvers
    .filter((approver) => !isGroup(approver) && approver !== CHANNEL)
    .map((approver) => (approver === 'requester' ? requester : approver));
  return {
    approvers: people,
    approverGroups: approvers.filter((approver) => isGroup(approver) || approver === CHANNEL),
    selfApproval,
    ...(quorum === undefined ? {} : { quorum }),
  };
}
