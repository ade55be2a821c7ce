import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { Entry, EntryOf } from '../facts/entries.ts';
import { itemsOf } from '../facts/items.ts';
import { isOfQuestion } from '../facts/questions.ts';
import { foldApproval } from './approvals.ts';
import { foldCall } from './calls.ts';
import { BrokenJournalError, withUnused } from './changes.ts';
import { foldConversation } from './conversation.ts';
import { foldLostCard } from './lost-cards.ts';
import { foldPost } from './posts.ts';
import { foldQuestion } from './questions.ts';
import type { RunState } from './state.ts';
import { worked } from './worked.ts';

/** Folds one entry into the state. The state of a run is defined by this function alone. */
export function evolve(state: RunState | undefined, entry: Entry): RunState {
  if (state === undefined) {
    if (entry.type !== 'run-started') throw new BrokenJournalError(`begins with ${entry.type}`);
    return begun(entry);
  }
  const items = Math.max(state.items, ...itemsOf(entry).map((at) => at + 1));
  return apply({ ...state, ...worked(state, entry), version: state.version + 1, items }, entry);
}

/** Shared by all runs, because most of what a run may have is empty in most runs. */
const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>();
const NO_MEMBERS: ReadonlySet<never> = new Set<never>();

function begun(entry: EntryOf<'run-started'>): RunState {
  return {
    version: 1,
    run: entry.run,
    firstEntry: entry.id,
    thread: entry.thread,
    requester: entry.requester,
    previous: entry.previous,
    earlier: entry.earlier,
    startedAtMs: entry.atMs,
    status: { type: 'running' },
    items: 0,
    said: [],
    turns: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    workedMs: 0,
    turnMs: 0,
    sinceMs: entry.atMs,
    calls: NO_ENTRIES,
    approvals: NO_ENTRIES,
    judged: NO_MEMBERS,
    questions: NO_ENTRIES,
    heard: NO_MEMBERS,
    unread: NO_ENTRIES,
    posting: NO_ENTRIES,
    posted: NO_ENTRIES,
    lines: NO_ENTRIES,
    writing: undefined,
    feedback: NO_ENTRIES,
    feedbackGiven: 0,
    sealed: false,
    unheard: false,
  };
}

function apply(state: RunState, entry: Entry): RunState {
  if (isOfQuestion(entry)) return foldQuestion(state, entry);
  switch (entry.type) {
    case 'run-started':
      throw new BrokenJournalError('starts twice');
    case 'person-said':
    case 'guided':
    case 'turn-answered':
      return foldConversation(state, entry);
    case 'post-begun':
    case 'posted':
    case 'line-shown':
    case 'reply-begun':
    case 'reply-dropped':
      return foldPost(state, entry);
    case 'feedback-given':
      return rated(state, entry);

    case 'call-asked':
    case 'calls-listed':
    case 'call-judged':
    case 'card-posted':
    case 'card-painted':
    case 'press-refused':
    case 'call-reminded':
    case 'copies-found':
    case 'copies-painted':
    case 'yes-counted':
    case 'yes-dropped':
    case 'call-referred':
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
    case 'trust-ended':
    case 'trust-over':
    case 'asked-again':
    case 'precondition-changed':
    case 'rules-changed':
      return foldApproval(state, entry);
    case 'card-lost':
      return foldLostCard(state, entry);
    case 'call-started':
    case 'call-finished':
    case 'call-unknown':
    case 'call-answered':
      return foldCall(state, entry);

    case 'run-finished':
    case 'run-stopped':
    case 'unheard':
    case 'sealed':
      return foldRunEnd(state, entry);
    default:
      return unreachable(entry);
  }
}

function rated(state: RunState, { about, by, opinion }: EntryOf<'feedback-given'>): RunState {
  return {
    ...state,
    feedback: new Map([...state.feedback, [`${about} ${by}`, opinion]]),
    feedbackGiven: state.feedbackGiven + 1,
  };
}

function foldRunEnd(state: RunState, entry: EntryOf<'run-finished' | 'run-stopped' | 'unheard' | 'sealed'>): RunState {
  switch (entry.type) {
    case 'run-finished':
      return withUnused({ ...state, status: { type: 'finished' } });
    case 'run-stopped': {
      const { cause, by } = entry;
      return withUnused({ ...state, status: { type: 'stopped', cause, ...given({ by }) } });
    }
    case 'unheard':
      return { ...state, unheard: { cause: entry.cause, atMs: entry.atMs } };
    case 'sealed':
      return { ...state, sealed: { retireAtMs: entry.retireAtMs }, lines: allShown(state) };
    default:
      return unreachable(entry);
  }
}

/** A seal is written when nothing is owed. An older release owed a line no outcome. */
function allShown({ lines, version }: RunState): RunState['lines'] {
  return new Map([...lines].map(([trust, line]) => [trust, { ...line, shows: version }]));
}
