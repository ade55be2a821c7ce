import type { Log } from '../log.ts';
import type { ThreadKey } from '../records.ts';
import type { DueItem, Store } from '../store/store.ts';

/**
 * Who advances which thread. `todo` in the store says that a thread needs somebody; an engine says who. Losing any of
 * it costs time: the append decides who was right.
 */
export interface Work {
  /** Somebody should advance this thread, now or when so much time has passed. */
  readonly kick: (thread: ThreadKey, inMs?: number) => void;
  /** This process is at work on the thread, or is again: others leave it alone a while longer. */
  readonly hold: (thread: ThreadKey) => void;
  readonly start: () => void;
  /** Takes nothing new; resolves when what was begun has ended, at the latest after `limitMs`. */
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

export interface WorkDeps {
  readonly store: Pick<Store, 'claimTodo' | 'claimThread' | 'claimDue' | 'renewTodo'>;
  /**
   * Advances a thread as far as it goes; `again` when something came in while it did. A rejection is logged, and the
   * thread comes up again.
   */
  readonly advance: (thread: ThreadKey) => Promise<'done' | 'again'>;
  /** Takes a thread out of `todo` while people have all of it in hand; `false` when they have not. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
  readonly onDue: (item: DueItem) => Promise<void>;
  readonly log: Log;
}
