import { threadKey } from '../../records/index.ts';
import { EntryBody } from '../facts/entries.ts';
import { itemsOf } from '../facts/items.ts';
import { evolve } from '../fold/evolve.ts';
import type { RunState } from '../fold/state.ts';
import { effectsOf } from './effects.ts';

/**
 * What the recorder needs to know of a run's journal: its entries, their fold, and their index changes. The process that
 * holds the thread has a head start of `graceMs`. `counts` is set where caps for a person or a tool are configured, so that
 * calls are counted.
 */
export const runKind = (graceMs: number, counts = false) => ({
  schema: EntryBody,
  evolve,
  items: { count: (state: RunState | undefined) => state?.items ?? 0, of: itemsOf },
  /** A decision is shown to people, and a start has effects outside: neither may be lost with a machine. */
  mustBeDurable: ({ type }: EntryBody) => type === 'call-decided' || type === 'call-started',
  effects: (state: RunState, entries: readonly EntryBody[]) =>
    effectsOf(state, entries, { thread: threadKey(state.thread), graceMs, counts }),
});
