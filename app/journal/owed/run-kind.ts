import { threadKey } from '../../records/index.ts';
import { EntryBody } from '../facts/entries.ts';
import { evolve } from '../fold/evolve.ts';
import type { RunState } from '../fold/state.ts';
import { effectsOf } from './effects.ts';

/** What makes a journal the journal of a run: its entries, their fold, and what must change with them. */
export const runKind = (graceMs: number, counts = false) => ({
  schema: EntryBody,
  evolve,
  /** A yes or a no that was shown, and a start that was acted on, must not vanish with a machine. */
  weighs: ({ type }: EntryBody) => type === 'call-decided' || type === 'call-started',
  effects: (state: RunState, entries: readonly EntryBody[]) =>
    effectsOf(state, entries, { thread: threadKey(state.thread), graceMs, counts }),
});
