import {
  addUsage,
  costOf,
  NO_USAGE,
  type Prices,
  type RunState,
  type RunUsage,
  usageOf,
  usageSoFar,
} from '../journal/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type RunId, type Thread, threadKey } from '../records/index.ts';
import type { Store } from '../store/index.ts';

/** Money, when the deployment has named its prices. */
export interface Cost {
  readonly amount: number;
  readonly currency: string | undefined;
}

export interface Spent extends RunUsage {
  readonly cost: Cost | undefined;
}

export interface ThreadUsage {
  /** The run that is going on. Absent when none is. */
  readonly running: Spent | undefined;
  readonly thread: Spent;
}

export type UsageOf = (thread: Thread) => Promise<ThreadUsage>;

export interface UsageDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly journalOf: (run: RunId) => RunJournal;
  /** Of a million tokens of each kind. */
  readonly prices: (Prices & { readonly currency?: string | undefined }) | undefined;
}

/** How far back journals are read that do not say themselves what was before them. */
const OLDEST = 200;

/** What the model was used for in a thread, from its journals, at the prices of today. */
export function createUsage({ store, journalOf, prices }: UsageDeps): UsageOf {
  const spent = (usage: RunUsage): Spent => ({
    ...usage,
    cost: prices === undefined ? undefined : { amount: costOf(usage.tokens, prices), currency: prices.currency },
  });

  const soFar = async (newest: RunState | undefined): Promise<RunUsage> => {
    let sum = NO_USAGE;
    let state = newest;
    for (let read = 0; state !== undefined && read < OLDEST; read += 1) {
      // It says what was before it, or there was nothing.
      if (state.earlier !== undefined || state.previous === undefined) return addUsage(sum, usageSoFar(state));
      sum = addUsage(sum, usageOf(state));
      state = await journalOf(state.previous).refresh();
    }
    return sum;
  };

  return async (thread) => {
    const { currentRun } = await store.thread(threadKey(thread));
    const state = currentRun === undefined ? undefined : await journalOf(currentRun).refresh();
    const running = state?.status.type === 'running' ? spent(usageOf(state)) : undefined;
    return { running, thread: spent(await soFar(state)) };
  };
}
