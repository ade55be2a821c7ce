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
  /** The current run, while it is going on. */
  readonly running: Spent | undefined;
  readonly thread: Spent;
}

export type UsageOf = (thread: Thread) => Promise<ThreadUsage>;

export interface UsageDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly journalOf: (run: RunId) => RunJournal;
  /** For a million tokens of each kind. */
  readonly prices: (Prices & { readonly currency?: string | undefined }) | undefined;
}

/** How many earlier runs are read at most, where a journal does not record what its thread had used before. */
const OLDEST = 200;

/** How much a thread has used the model, from its journals, at the prices of today. */
export function createUsage({ store, journalOf, prices }: UsageDeps): UsageOf {
  const spent = (usage: RunUsage): Spent => ({
    ...usage,
    cost: prices === undefined ? undefined : { amount: costOf(usage.tokens, prices), currency: prices.currency },
  });

  const soFar = async (newest: RunState | undefined): Promise<RunUsage> => {
    let sum = NO_USAGE;
    let state = newest;
    for (let read = 0; state !== undefined && read < OLDEST; read += 1) {
      // This journal records all earlier use, or it is the first of its thread.
      if (state.earlier !== undefined || state.previous === undefined) return addUsage(sum, usageSoFar(state));
      sum = addUsage(sum, usageOf(state));
      state = await journalOf(state.previous).refresh();
    }
    return sum;
  };

  return async (thread) => {
    const { currentRun } = await store.thread(threadKey(thread), 1);
    const state = currentRun === undefined ? undefined : await journalOf(currentRun).refresh();
    const running = state?.status.type === 'running' ? spent(usageOf(state)) : undefined;
    return { running, thread: spent(await soFar(state)) };
  };
}
