import { threadKey } from '../records.ts';
import { effectsOf } from './effects.ts';
import { EntryBody } from './entries.ts';
import { evolve } from './evolve.ts';
import type { RunState } from './state.ts';

/** What makes a journal the journal of a run: its entries, their fold, and what must change with them. */
export const runKind = (graceMs: number) => ({
  schema: EntryBody,
  evolve,
  effects: (state: RunState, entries: readonly EntryBody[]) =>
    effectsOf(state, entries, { thread: threadKey(state.thread), graceMs }),
});
