import type { CallState, RunState } from './state.ts';

/** Small changes of a run's state that several folds make. */

export function withItem(state: RunState, item: number): RunState {
  return { ...state, items: Math.max(state.items, item + 1) };
}

export function withCall(state: RunState, key: string, change: (call: CallState) => CallState): RunState {
  const call = state.calls.get(key) ?? { execution: { type: 'none' } };
  return { ...state, calls: new Map([...state.calls, [key, change(call)]]) };
}

/** A journal that no run of this program could have written. */
export class BrokenJournalError extends Error {
  override readonly name = 'BrokenJournalError';

  constructor(what: string) {
    super(`A journal ${what}. It was changed from outside; run the audit to see where, and do not resume this run.`);
  }
}
