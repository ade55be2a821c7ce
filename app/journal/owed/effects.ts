import { LIMITS } from '../../limits.ts';
import { type ApprovalId, type QuestionEntry, type ThreadKey, UserId } from '../../records/index.ts';
import type { Effect, IndexName } from '../../store/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import { isOfQuestion, questionIn } from '../facts/questions.ts';
import { doubtOf } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import { concernsWhoWaits, wakes } from './hints.ts';
import { reminderEffects } from './reminders.ts';
import { tallies } from './tally.ts';

export interface EffectsAbout {
  readonly thread: ThreadKey;
  readonly graceMs: number;
  /** Caps for a person or a tool are configured. */
  readonly counts?: boolean;
}

/**
 * The index changes that are appended together with these entries. They are derived from the entries, so no caller can
 * forget them.
 *
 * @param state the state after the entries.
 */
export function effectsOf(
  state: RunState,
  entries: readonly EntryBody[],
  { thread, graceMs, counts = false }: EffectsAbout,
): readonly Effect[] {
  const effects = entries.flatMap((entry) => [
    ...effectsOfOne(state, entry, thread),
    ...reminderEffects(state, entry),
    ...(counts ? tallies(state, entry) : []),
  ]);
  const inbox = entries.flatMap((entry) => (entry.type === 'person-said' ? [entry.key] : []));
  if (inbox.length > 0) effects.push({ type: 'drop-inbox', thread, keys: inbox });
  // The append that begins a run makes it the current one.
  if (entries[0]?.type !== 'run-started' && entries.some(({ type }) => ONLY_CURRENT.has(type)))
    effects.push({ type: 'still-current', thread, run: state.run });
  if (entries.some(({ type }) => GOT_FURTHER.has(type))) effects.push({ type: 'got-further', thread });
  const hint = { type: 'hint', hint: { thread, run: state.run, version: state.version } } as const;
  // The waiting process may be dead or paused. The `todo` lets another process find the thread.
  if (entries.some((entry) => wakes(state, entry))) return [...effects, { type: 'todo', thread, inMs: graceMs }, hint];
  return entries.some((entry) => concernsWhoWaits(state, entry)) ? [...effects, hint] : effects;
}

/**
 * What a run that ends its process at the same place each time does not reach. What a process writes before it tries
 * something, such as a start or a post, is not among them: the next process writes that again.
 */
const GOT_FURTHER: ReadonlySet<EntryBody['type']> = new Set([
  'run-started',
  'turn-answered',
  'call-asked',
  'call-decided',
  'call-finished',
  'doubt-asked',
  'doubt-settled',
  'run-finished',
  'run-stopped',
]);

/**
 * What only the current run of a thread may write. A stop leaves a run without a word in its journal, and the process that has
 * the run in hand may wake up later.
 */
const ONLY_CURRENT: ReadonlySet<EntryBody['type']> = new Set([
  'turn-answered',
  'reply-begun',
  'call-asked',
  'call-started',
  'doubt-asked',
]);

function effectsOfOne(state: RunState, entry: EntryBody, thread: ThreadKey): Effect[] {
  if (isOfQuestion(entry)) return effectsOfQuestion(state, entry);
  switch (entry.type) {
    case 'run-started':
      return [
        { type: 'current-run', thread, run: state.run },
        // It is there already, unless a person had the thread left alone at this moment.
        { type: 'todo', thread, inMs: LIMITS.leaseMs },
        { type: 'member', index: busyIndex(state.thread.team), member: thread },
      ];
    case 'call-asked':
      return [
        { type: 'approval', approval: entry.approval, run: state.run },
        { type: 'due', item: { what: 'expiry', subject: entry.approval }, atMs: entry.expiresAtMs },
        ...members('member', openLists(state, entry.approval), entry.approval),
        ...members('member', suggestedLists(state, entry.approval), entry.approval),
      ];
    case 'calls-listed':
      return [{ type: 'approval', approval: entry.list, run: state.run }];
    case 'call-referred':
      return members('member', [waitingIndex(state.thread.team, entry.to)], entry.approval);
    case 'yes-counted':
      // The question no longer waits for this person. It still waits for the others.
      return [{ type: 'not-member', index: waitingIndex(state.thread.team, entry.by), member: entry.approval }];
    case 'yes-dropped':
      // The question waits for this person again, who may regain the right to decide.
      return members(
        'member',
        waitingLists(state, entry.approval).filter(({ of }) => of === waitingIndex(state.thread.team, entry.by).of),
        entry.approval,
      );
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
      return [
        { type: 'not-due', item: { what: 'expiry', subject: entry.approval } },
        ...members('not-member', openLists(state, entry.approval), entry.approval),
        ...members('member', settledLists(state, entry.approval), entry.approval),
      ];
    case 'unheard':
      return unheardLists(state).map((index) => ({ type: 'member', index, member: state.run }));
    case 'sealed': {
      const rests: Effect = { type: 'run-over', thread, run: state.run, index: busyIndex(state.thread.team) };
      return entry.retireAtMs === undefined
        ? [rests]
        : [rests, { type: 'due', item: { what: 'retention', subject: state.run }, atMs: entry.retireAtMs }];
    }
    default:
      return [];
  }
}

function effectsOfQuestion(state: RunState, entry: QuestionEntry): Effect[] {
  const { id } = questionIn(entry);
  const item = { what: 'expiry', subject: id } as const;
  const lists = waitingLists(state, id);
  if ('expiresAtMs' in entry) {
    return [
      { type: 'approval', approval: id, run: state.run },
      { type: 'due', item, atMs: entry.expiresAtMs },
      ...members('member', lists, id),
    ];
  }
  return 'how' in entry ? [{ type: 'not-due', item }, ...members('not-member', lists, id)] : [];
}

/** The threads of a workspace that have a run which is not sealed. */
export function busyIndex(team: string): IndexName {
  return { what: 'threads', of: team };
}

function members(type: 'member' | 'not-member', lists: readonly IndexName[], member: ApprovalId): Effect[] {
  return lists.map((index) => ({ type, index, member }));
}

/** Every list that may contain this question. */
export function listsOf(state: RunState, id: ApprovalId): readonly IndexName[] {
  return [...openLists(state, id), ...settledLists(state, id), ...suggestedLists(state, id)];
}

/** The lists of an open question: of each person it waits for, and of the requester. */
function openLists(state: RunState, id: ApprovalId): readonly IndexName[] {
  const { team } = state.thread;
  const referred = state.approvals.get(id)?.referred ?? [];
  const lists = [...waitingLists(state, id), ...referred.map(({ to }) => waitingIndex(team, to))];
  return [...new Map(lists.map((list) => [list.of, list])).values(), askedIndex(team, state.requester)];
}

/** The lists of the people a question waits for. Only for display: the right to decide is judged at the press. */
function waitingLists(state: RunState, id: ApprovalId): readonly IndexName[] {
  const rule = (state.approvals.get(id) ?? doubtOf(state, id))?.rule;
  if (rule === undefined) return [];
  const { requester, thread } = state;
  const named = rule.approvers.flatMap((approver) => {
    if (approver === 'requester') return [requester];
    // Channel members are not known here. A group is listed under its own id.
    return approver === 'channel' ? [] : [approver];
  });
  const people =
    rule.approvers.length === 0 ? [requester] : named.filter((approver) => rule.selfApproval || approver !== requester);
  return [...new Set(people)].map((user) => waitingIndex(thread.team, user));
}

export function waitingIndex(team: string, user: UserId): IndexName {
  return { what: 'waiting', of: `${team}:${user}` };
}

export function askedIndex(team: string, user: UserId): IndexName {
  return { what: 'asked', of: `${team}:${user}` };
}

/** The lists of an answered or expired question: of the requester, and of the person who answered. */
function settledLists(state: RunState, id: ApprovalId): readonly IndexName[] {
  const approval = state.approvals.get(id);
  const { team } = state.thread;
  switch (approval?.standing.status) {
    case 'decided': {
      const { by, atMs } = approval.standing.decision;
      return [...new Set([state.requester, by])].map((user) => settledIndex(team, user, atMs));
    }
    case 'expired':
      return [settledIndex(team, state.requester, approval.expiresAtMs)];
    default:
      return [];
  }
}

/** The list of a question with which a rule was suggested. */
function suggestedLists({ approvals, thread }: RunState, id: ApprovalId): readonly IndexName[] {
  const { approvedInARow, suggestion, askedAtMs = 0 } = approvals.get(id) ?? {};
  return approvedInARow === undefined && suggestion === undefined ? [] : [suggestedIndex(thread.team, askedAtMs)];
}

/** One list for each week and workspace: a suggestion is for the people that the deployment names. */
export function suggestedIndex(team: string, atMs: number): IndexName {
  return { what: 'suggested', of: `${team}:${Math.floor(atMs / WEEK_MS)}` };
}

/** The list of a run that its thread did not hear the end of. */
export function unheardLists({ unheard, thread, requester }: RunState): readonly IndexName[] {
  return unheard === false ? [] : [unheardIndex(thread.team, requester, unheard.atMs)];
}

/** One list for each week: there are few of these runs. */
export function unheardIndex(team: string, user: UserId, atMs: number): IndexName {
  return { what: 'unheard', of: `${team}:${user}:${Math.floor(atMs / WEEK_MS)}` };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** One list for each day, so that reading the latest stays cheap in an old workspace. */
export function settledIndex(team: string, user: UserId, atMs: number): IndexName {
  return { what: 'settled', of: `${team}:${user}:${new Date(atMs).toISOString().slice(0, 10)}` };
}

/** The people whose lists these changes touch. A Home page that shows such a list may have to be drawn again. */
export function concerned(effects: readonly Effect[]): readonly { readonly team: string; readonly user: UserId }[] {
  const lists = effects.flatMap((effect) =>
    effect.type === 'member' || effect.type === 'not-member' ? (personOf(effect.index) ?? []) : [],
  );
  return [...new Map(lists.map((person) => [`${person.team}:${person.user}`, person])).values()];
}

/** The indexes that belong to a person. All others belong to a thread, a tool or a workspace. */
const PERSONAL: readonly IndexName['what'][] = ['waiting', 'asked', 'settled', 'unheard'];

function personOf({ what, of }: IndexName): { readonly team: string; readonly user: UserId } | undefined {
  const [team = '', second = '', third = ''] = of.split(':');
  if (PERSONAL.includes(what)) return { team, user: UserId.parse(second) };
  if (what !== 'grants' || (second !== 'giver' && second !== 'requester')) return undefined;
  return { team, user: UserId.parse(third) };
}
