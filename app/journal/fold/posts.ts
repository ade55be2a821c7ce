import { unreachable } from '../../../interventions/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { EntryOf } from '../facts/entries.ts';
import { withLine } from './changes.ts';
import type { RunState } from './state.ts';

/** Folds the posts of the thread, and the reply that is being streamed. */
export function foldPost(
  state: RunState,
  entry: EntryOf<'post-begun' | 'posted' | 'line-shown' | 'reply-begun' | 'reply-dropped'>,
): RunState {
  switch (entry.type) {
    case 'post-begun': {
      const begun = { by: entry.by, sinceMs: entry.atMs };
      return { ...state, posting: new Map(state.posting).set(entry.key, begun) };
    }
    case 'posted':
      return toldBy(entry.card, { ...state, posted: new Map(state.posted).set(entry.key, entry.card) });
    case 'line-shown':
      // A late painting covers a newer one, so the last entry counts, even with an older version.
      return withLine(state, entry.grant, { shows: entry.shows ?? state.version });
    case 'reply-begun':
      return { ...state, writing: { card: entry.card, by: entry.by } };
    case 'reply-dropped':
      return { ...state, writing: undefined };
    default:
      return unreachable(entry);
  }
}

/** The streamed reply has become the posted answer. */
function toldBy(card: CardReceipt, state: RunState): RunState {
  const { channel, ts } = state.writing?.card ?? {};
  return channel === card.channel && ts === card.ts ? { ...state, writing: undefined } : state;
}
