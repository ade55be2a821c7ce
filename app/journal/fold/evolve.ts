import { unreachable } from '../../../interventions/index.ts';
import type { CardReceipt, UserId } from '../../records/index.ts';
import type { Entry } from '../facts/entries.ts';
import { foldApproval } from './approvals.ts';
import { foldCall } from './calls.ts';
import { BrokenJournalError, definedOnly, withItem, withUnused } from './changes.ts';
import { foldDoubt } from './doubts.ts';
import { foldInquiry } from './inquiries.ts';
import { foldLostCard } from './lost-cards.ts';
import type { CallState, RunState } from './state.ts';
import { worked } from './worked.ts';

/** Folds one entry into the state. The only reader of entries: what a run is, is what this says. */
export function evolve(state: RunState | undefined, entry: Entry): RunState {
  if (state === undefined) {
    if (entry.type !== 'run-started') throw new BrokenJournalError(`begins with ${entry.type}`);
    return {
      version: 1,
      run: entry.run,
      firstEntry: entry.id,
      thread: entry.thread,
      requester: entry.requester,
      previous: entry.previous,
      ...definedOnly({ earlier: entry.earlier }),
      startedAtMs: entry.atMs,
      status: { type: 'running' },
      items: 0,
      said: [],
      turns: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      workedMs: 0,
      turnMs: 0,
      sinceMs: entry.atMs,
      calls: new Map(),
      approvals: new Map(),
      judged: new Set(),
      inquiries: new Map(),
      doubts: new Map(),
      heard: new Set(),
      unread: new Map(),
      posting: new Map(),
      posted: new Map(),
      lines: new Map(),
      feedback: new Map(),
      feedbackGiven: 0,
      sealed: false,
      unheard: false,
    };
  }
  return apply({ ...state, ...worked(state, entry), version: state.version + 1 }, entry);
}

function apply(state: RunState, entry: Entry): RunState {
  switch (entry.type) {
    case 'run-started':
      throw new BrokenJournalError('starts twice');
    case 'person-said':
      return withSaid(
        {
          ...state,
          heard: new Set([...state.heard, entry.key]),
          unread: entry.unread === undefined ? state.unread : new Map([...state.unread, [entry.key, entry.unread]]),
        },
        entry.item,
        entry.user,
      );
    case 'guided':
      return withSaid(state, entry.item);
    case 'turn-answered': {
      const { turn, item, says, calls, tokens, stopReason } = entry;
      const asksForMore = stopReason === 'pauseTurn' || (stopReason === 'toolUse' && calls.length > 0);
      const fresh: [string, CallState][] = calls.map((call) => [call, { execution: { type: 'none' } }]);
      return withItem(
        {
          ...state,
          turns: turn,
          said: [...state.said, { type: 'turn', turn, item, says, calls, tokens, last: !asksForMore, stopReason }],
          calls: new Map([...state.calls, ...fresh]),
          tokens: {
            input: state.tokens.input + tokens.input,
            output: state.tokens.output + tokens.output,
            cacheRead: state.tokens.cacheRead + tokens.cacheRead,
            cacheWrite: state.tokens.cacheWrite + tokens.cacheWrite,
          },
        },
        item,
      );
    }
    case 'post-begun': {
      const begun = { by: entry.by, sinceMs: entry.atMs };
      return { ...state, posting: new Map([...state.posting, [entry.key, begun]]) };
    }
    case 'posted':
      return toldBy(entry.card, { ...state, posted: new Map([...state.posted, [entry.key, entry.card]]) });
    case 'line-shown': {
      const calls = Math.max(state.lines.get(entry.grant) ?? 0, entry.calls);
      return { ...state, lines: new Map([...state.lines, [entry.grant, calls]]) };
    }
    case 'reply-begun':
      return { ...state, writing: definedOnly({ card: entry.card, by: entry.by }) };
    case 'reply-dropped':
      return withoutWriting(state);

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
    case 'inquiry-asked':
    case 'inquiry-posted':
    case 'inquiry-painted':
    case 'inquiry-settled':
      return foldInquiry(state, entry);
    case 'doubt-asked':
    case 'doubt-posted':
    case 'doubt-painted':
    case 'doubt-refused':
    case 'doubt-settled':
      return foldDoubt(state, entry);

    case 'feedback-given':
      return {
        ...state,
        feedback: new Map([...state.feedback, [`${entry.about} ${entry.by}`, entry.opinion]]),
        feedbackGiven: state.feedbackGiven + 1,
      };

    case 'run-finished':
      return withUnused({ ...state, status: { type: 'finished' } });
    case 'run-stopped':
      return withUnused({
        ...state,
        status: { type: 'stopped', cause: entry.cause, ...definedOnly({ by: entry.by }) },
      });
    case 'unheard':
      return { ...state, unheard: true };
    case 'sealed':
      return { ...state, sealed: true, ...definedOnly({ retireAtMs: entry.retireAtMs }) };
    default:
      return unreachable(entry);
  }
}

/** What people read along with has become what they were told. */
function toldBy(card: CardReceipt, state: RunState): RunState {
  const { channel, ts } = state.writing?.card ?? {};
  return channel === card.channel && ts === card.ts ? withoutWriting(state) : state;
}

function withoutWriting({ writing: _, ...state }: RunState): RunState {
  return state;
}

function withSaid(state: RunState, item: number, by?: UserId): RunState {
  return withItem({ ...state, said: [...state.said, { type: 'message', item, ...definedOnly({ by }) }] }, item);
}
