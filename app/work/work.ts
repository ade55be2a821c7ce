import type { Log } from '../log.ts';
import type { ThreadKey } from '../records/index.ts';
import type { DueItem, Store } from '../store/index.ts';

/**
 * Who advances which thread. `todo` in the store says that a thread needs somebody; an engine says who. Losing any of
 * it costs time: the append decides who was right.
 */
export interface Work {
  /** Somebody should advance this thread, now or when so much time has passed. */
  readonly kick: (thread: ThreadKey, inMs?: number) => void;
  /**
   * This process goes on with a thread that it has in hand, which may only have waited: others leave it alone from here
   * on. `false` when one of them was faster, and has it now.
   */
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly start: () => void;
  /** Takes nothing new; resolves when what was begun has ended, at the latest after `limitMs`. */
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

export type Advanced =
  | 'done'
  /** Something came in meanwhile. */
  | 'again'
  /** It comes up again by itself, here or elsewhere. */
  | 'later'
  /** Another process may be able to go on: it is offered to all of them again so much later. */
  | { readonly offerInMs: number };

export interface WorkDeps {
  readonly store: Pick<Store, 'claimTodo' | 'claimThread' | 'claimDue' | 'renewTodo'>;
  /** Advances a thread as far as it goes. A rejection is logged, and the thread comes up again. */
  readonly advance: (thread: ThreadKey) => Promise<Advanced>;
  /** Takes a thread out of `todo` while people have all of it in hand; `false` when they have not, and whoever waits here looks. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
  readonly onDue: (item: DueItem) => Promise<void>;
  readonly log: Log;
}
