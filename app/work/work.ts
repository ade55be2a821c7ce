import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { ThreadKey } from '../records.ts';
import type { DueItem, Store } from '../store/store.ts';

/**
 * Who advances which thread. `todo` in the store says that a thread needs somebody; this takes what is due, one process
 * at a time, and keeps it while it works. Losing any of it costs time: the append decides who was right.
 */
export interface Work {
  /** Somebody should advance this thread now. */
  readonly kick: (thread: ThreadKey) => void;
  /** This process is at work on the thread: others leave it alone a while longer. */
  readonly hold: (thread: ThreadKey) => void;
  readonly start: () => void;
  /** Takes nothing new; resolves when what was begun has ended, at the latest after `limitMs`. */
  readonly close: (limitMs: number) => Promise<'idle' | 'cut'>;
}

export interface WorkDeps {
  readonly store: Pick<Store, 'claimTodo' | 'claimDue' | 'renewTodo'>;
  /** Advances a thread as far as it goes. A rejection is logged, and the thread comes up again. */
  readonly advance: (thread: ThreadKey) => Promise<void>;
  readonly onDue: (item: DueItem) => Promise<void>;
  /** No other process can work on this store. With others, a thread is taken by a claim and in no other way. */
  readonly exclusive: boolean;
  readonly log: Log;
}

export function createWork({ store, advance, onDue, exclusive, log }: WorkDeps): Work {
  /** Threads at work here; `again` when somebody kicked meanwhile. */
  const active = new Map<ThreadKey, { again: boolean; readonly done: Promise<void> }>();
  const timers: NodeJS.Timeout[] = [];
  let open = true;
  let troubled = false;

  const hold = (thread: ThreadKey): void => {
    store.renewTodo(thread, LIMITS.leaseMs).catch(noteTrouble);
  };

  const kick = (thread: ThreadKey): void => {
    if (!open) return;
    const running = active.get(thread);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    if (!exclusive) return void sweep();
    run(thread);
  };

  const run = (thread: ThreadKey): void => {
    if (!open) return;
    const running = active.get(thread);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    hold(thread);
    const done = (async () => {
      try {
        await advance(thread);
      } catch (error) {
        log.error('A thread could not be advanced; it comes up again.', { thread, error });
      }
      const again = active.get(thread)?.again === true;
      active.delete(thread);
      if (again) run(thread);
    })();
    active.set(thread, { again: false, done });
  };

  /** Said once when it begins and once when it ends, not twice a second in between. */
  const noteTrouble = (error: unknown): void => {
    if (!troubled) log.warn('The store cannot be reached; work goes on when it can.', { error });
    troubled = true;
  };

  const sweep = async (): Promise<void> => {
    const request = { limit: LIMITS.claimsPerSweep, leaseMs: LIMITS.leaseMs };
    try {
      const [threads, due] = await Promise.all([store.claimTodo(request), store.claimDue(request)]);
      if (troubled) log.info('The store is back.');
      troubled = false;
      for (const thread of threads) run(thread);
      await Promise.all(
        due.map((item) => onDue(item).catch((error: unknown) => log.warn('Not done in time yet.', { item, error }))),
      );
    } catch (error) {
      noteTrouble(error);
    }
  };

  /** Sweeps of many replicas must not beat in time. */
  const again = (): void => {
    if (!open) return;
    const timer = setTimeout(
      () => {
        timers.splice(timers.indexOf(timer), 1);
        void sweep().finally(again);
      },
      LIMITS.sweepMs * (0.75 + Math.random() / 2),
    );
    timers.push(timer);
  };

  return {
    kick,
    hold,
    start: () => {
      void sweep().finally(again);
      const beat = setInterval(() => {
        for (const thread of active.keys()) hold(thread);
      }, LIMITS.leaseMs / 3);
      timers.push(beat);
    },
    close: async (limitMs) => {
      open = false;
      for (const timer of timers) clearTimeout(timer);
      const ended = Promise.all([...active.values()].map(({ done }) => done)).then(() => 'idle' as const);
      let limit: NodeJS.Timeout | undefined;
      const cut = new Promise<'cut'>((resolve) => {
        limit = setTimeout(() => resolve('cut'), limitMs);
      });
      return Promise.race([ended, cut]).finally(() => clearTimeout(limit));
    },
  };
}
