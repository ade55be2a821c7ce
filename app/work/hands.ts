import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import type { WorkDeps } from './work.ts';

/** The threads that this process has in hand: one at a time of each, renewed while somebody is at work on it. */
export interface Hands {
  /** Advances the thread. Resolves when it is over, or when it only waits for people; never rejects. */
  readonly take: (thread: ThreadKey) => Promise<void>;
  readonly has: (thread: ThreadKey) => boolean;
  /** As `Work.hold`. */
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  /** Called now and then: renews what is at work, and lets rest what only waits. */
  readonly beat: () => void;
  /** How many are at work. */
  readonly busy: () => number;
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

interface InHand {
  /** Somebody kicked it meanwhile. */
  again: boolean;
  /** It only waits for people: out of `todo`, and nobody renews it. */
  resting: boolean;
  /** How often it was held, so that a rest that was overtaken is known. */
  holds: number;
  /** Somebody asks the store for it. */
  resuming: Promise<boolean> | undefined;
  free: () => void;
  done: Promise<void>;
}

export interface HandsDeps extends Pick<WorkDeps, 'advance' | 'rest' | 'log'> {
  readonly store: Pick<WorkDeps['store'], 'renewTodo'>;
  /** Takes a thread that rested from all others, if none of them has it. */
  readonly reclaim: (thread: ThreadKey) => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
}

export function createHands({ store, reclaim, advance, rest, log, onTrouble }: HandsDeps): Hands {
  const inHand = new Map<ThreadKey, InHand>();
  let open = true;

  const renew = (thread: ThreadKey): void => {
    store.renewTodo(thread, LIMITS.leaseMs).catch(onTrouble);
  };

  /** Whoever has taken it meanwhile keeps it. */
  const offer = async (thread: ThreadKey, mine: InHand, inMs: number): Promise<void> => {
    await mine.resuming?.catch(() => {});
    if (!mine.resting) await store.renewTodo(thread, inMs);
  };

  const advanceAll = async (thread: ThreadKey, mine: InHand): Promise<void> => {
    do {
      mine.again = false;
      try {
        const end = await advance(thread);
        if (end === 'again') mine.again = true;
        // Another process may have it: a kick is no reason to take it back.
        if (end === 'later' || typeof end === 'object') mine.again = false;
        if (typeof end === 'object') await offer(thread, mine, end.offerInMs);
      } catch (error) {
        log.error('A thread could not be advanced; it comes up again.', { thread, error });
      }
    } while (mine.again && open);
    // In the same breath as the last look at `again`: a kick in between would be lost.
    inHand.delete(thread);
    mine.free();
  };

  const resume = (thread: ThreadKey, mine: InHand): Promise<boolean> => {
    mine.holds += 1;
    if (!mine.resting) {
      renew(thread);
      return Promise.resolve(true);
    }
    mine.resuming ??= reclaim(thread)
      .then((isOurs) => {
        if (isOurs) mine.resting = false;
        return isOurs;
      })
      .finally(() => {
        mine.resuming = undefined;
      });
    return mine.resuming;
  };

  const tryToRest = async (thread: ThreadKey, mine: InHand): Promise<void> => {
    const { holds } = mine;
    try {
      const rests = await rest(thread);
      if (rests && mine.holds === holds && inHand.get(thread) === mine) {
        mine.resting = true;
        mine.free();
        return;
      }
      if (inHand.get(thread) === mine) await resume(thread, mine);
    } catch (error) {
      onTrouble(error);
    }
  };

  return {
    take: (thread) => {
      const known = inHand.get(thread);
      if (known !== undefined) {
        known.again = true;
        return known.resting ? tryToRest(thread, known) : Promise.resolve();
      }
      if (!open) return Promise.resolve();
      renew(thread);
      return new Promise((free) => {
        const mine: InHand = {
          again: false,
          resting: false,
          holds: 0,
          resuming: undefined,
          free,
          done: Promise.resolve(),
        };
        inHand.set(thread, mine);
        mine.done = advanceAll(thread, mine);
      });
    },
    has: (thread) => inHand.has(thread),
    hold: async (thread) => {
      const mine = inHand.get(thread);
      return mine !== undefined && resume(thread, mine);
    },
    beat: () => {
      for (const [thread, mine] of inHand) if (!mine.resting) void tryToRest(thread, mine);
    },
    busy: () => [...inHand.values()].filter(({ resting }) => !resting).length,
    close: async (limitMs) => {
      open = false;
      const ended = Promise.all([...inHand.values()].map(({ done }) => done)).then(() => 'idle' as const);
      let limit: NodeJS.Timeout | undefined;
      const cut = new Promise<'cut'>((resolve) => {
        limit = setTimeout(() => resolve('cut'), limitMs);
      });
      return Promise.race([ended, cut]).finally(() => clearTimeout(limit));
    },
  };
}
