import type { Log } from '../log.ts';
import type { ThreadKey } from '../records/index.ts';
import type { DueItem, Store } from '../store/index.ts';

/**
 * Decides which process advances which thread. `todo` in the store lists the threads that need a process; an engine
 * chooses it. A wrong or lost choice only costs time, because an append succeeds for one writer.
 */
export interface Work {
  /** Asks for a process to advance this thread, now or after `inMs`. */
  readonly kick: (thread: ThreadKey, inMs?: number) => void;
  /**
   * This process goes on with a thread that it has in hand, even one that rested: others leave it alone from here on.
   * `false` when another process has taken it.
   */
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly start: () => void;
  /** Takes no new thread. Resolves when all threads at work have ended, at the latest after `limitMs`. */
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

/** How a thread came to rest in this process. */
export type ThreadOutcome =
  | 'done'
  /** New work came in meanwhile. */
  | 'again'
  /** The thread comes up again by itself, in this process or another. */
  | 'later'
  /** Another process may be able to go on: after `offerInMs` the thread is offered to all of them. */
  | { readonly offerInMs: number };

export interface WorkDeps {
  readonly store: Pick<
    Store,
    'claimTodo' | 'claimThread' | 'claimDue' | 'renewTodo' | 'takeInHand' | 'letGo' | 'health'
  >;
  /** How the store names this process, unlike every process before it. */
  readonly by: string;
  /**
   * Advances a thread as far as it goes. A rejection is logged, and the thread comes up again. `onRest` is called right before
   * the store takes a thread that is over off `todo`: it does not while there is anything that an earlier kick told of.
   */
  readonly advance: (thread: ThreadKey, onRest: () => void) => Promise<ThreadOutcome>;
  /** Removes a thread from `todo` while only people can move it on. Returns `false` otherwise, and wakes local waiters. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
  /** Lets no process advance the thread until a person says so, and tells the thread. Rejects when that has to be tried again. */
  readonly setAside: (thread: ThreadKey, by: string) => Promise<void>;
  readonly onDue: (item: DueItem) => Promise<void>;
  readonly log: Log;
}
