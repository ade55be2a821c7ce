import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { EntryOf } from '../facts/entries.ts';
import type { CallState, RunState, Said } from './state.ts';

/** Folds what people and interventions say to the model, and what it answers. */
export function foldConversation(
  state: RunState,
  entry: EntryOf<'person-said' | 'guided' | 'turn-answered'>,
): RunState {
  switch (entry.type) {
    case 'person-said':
      return personSaid(state, entry);
    case 'guided':
      return withSaid(state, entry.item);
    case 'turn-answered':
      return turnAnswered(state, entry);
    default:
      return unreachable(entry);
  }
}

function personSaid(state: RunState, { key, unread, item, user, alsoSteeredBy }: EntryOf<'person-said'>): RunState {
  const next = {
    ...state,
    heard: new Set([...state.heard, key]),
    unread: unread === undefined ? state.unread : new Map([...state.unread, [key, unread]]),
  };
  return withSaid(next, item, given({ by: user, alsoSteeredBy }));
}

type Authors = Pick<Extract<Said, { readonly type: 'message' }>, 'by' | 'alsoSteeredBy'>;

function withSaid(state: RunState, item: number, authors: Authors = {}): RunState {
  return { ...state, said: [...state.said, { type: 'message', item, ...authors }] };
}

function turnAnswered(state: RunState, entry: EntryOf<'turn-answered'>): RunState {
  const { turn, item, says, calls, tokens, stopReason } = entry;
  const asksForMore = stopReason === 'pauseTurn' || (stopReason === 'toolUse' && calls.length > 0);
  const fresh: [string, CallState][] = calls.map((call) => [call, { execution: { type: 'none' } }]);
  return {
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
  };
}
