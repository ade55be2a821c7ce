import { threadKey } from '../../records/index.ts';
import { EntryBody } from '../facts/entries.ts';
import { evolve } from '../fold/evolve.ts';
import type { RunState } from '../fold/state.ts';
import { effectsOf } from './effects.ts';

/**
 * What the recorder needs to know of a run's journal: its entries, their fold, and the index changes that are owed with them.
 * The process that has the thread in hand goes first for `graceMs`. `counts` is set where caps for a person or a tool are
 * configured, so that calls are counted.
 */
export const runKind = (graceMs: number, counts = false) => ({
  schema: EntryBody,
  evolve,
  /** A yes or a no that was shown, and a start that was acted on, must not vanish with a machine. */
  mustBeDurable: ({ type }: EntryBody) => type === 'call-decided' || type === 'call-started',
  effects: (state: RunState, entries: readonly EntryBody[]) =>
    effectsOf(state, entries, { thread: threadKey(state.thread), graceMs, counts }),
});
