import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import type { DueItem } from '../store/index.ts';
import { type CancelTimer, every, systemTimers } from '../time/index.ts';
import type { WorkDeps } from './work.ts';

/** Looks regularly for what is due. It finds every thread and item whose kick was lost. */
export interface Sweep {
  readonly start: () => void;
  /** Looks no more. Threads at work are renewed until `end`: no other process may take them before they reach a safe point. */
  readonly stop: () => void;
  readonly end: () => void;
  /** Notes that the store failed. It is logged once when the trouble begins and once when it ends. */
  readonly noteTrouble: (error: unknown) => void;
  /** Whether the store has answered soon enough for so long that each living process has renewed its leases. */
  readonly isSteady: () => boolean;
}

export interface SweepDeps extends Pick<WorkDeps, 'store' | 'onDue' | 'log'> {
  /** How long other sweeps leave a found thread alone. */
  readonly claimMs: number;
  readonly onThreads: (threads: readonly ThreadKey[]) => void;
  readonly beat: () => void;
}

/** No process puts a thread further ahead: not for a lease, and not until a failed send is tried again. */
const FURTHEST_MS = LIMITS.leaseMs + LIMITS.retryApartMs;

/**
 * A store that refuses every write may still answer a sweep that finds nothing due, so it is asked. One that is only set up
 * wrongly takes writes: leases are renewed there, so its answer is no new trouble.
 */
const isHealthy = (store: SweepDeps['store']): Promise<boolean> =>
  store.health().then(
    () => true,
    () => false,
  );

export function createSweep({ store, onDue, log, claimMs, onThreads, beat }: SweepDeps): Sweep {
  let open = true;
  let troubled = false;
  let steadyFromMs = 0;
  /** Since when the store owes an answer to a sweep. */
  let askedMs = Number.POSITIVE_INFINITY;
  let slowInARow = 0;
  /** Whether the store has answered this process once. A start takes long for other reasons. */
  let swept = false;
  const items = createHandling({ onDue, log });
  let cancelNext: CancelTimer = () => {};
  let endBeats: CancelTimer = () => {};

  const noteTrouble = (error: unknown): void => {
    if (!troubled) log.warn('The store cannot be reached; work goes on when it can.', { error });
    troubled = true;
    if (swept) unsteady();
  };
  const unsteady = (): void => {
    steadyFromMs = performance.now() + LIMITS.leaseMs;
  };
  const isSlow = (): boolean => swept && performance.now() - askedMs > LIMITS.leaseMs / 2;

  const seeThatItIsOver = async (): Promise<void> => {
    if (!(await isHealthy(store))) return;
    log.info('The store is back.');
    troubled = false;
  };

  const sweep = async (): Promise<void> => {
    const limit = LIMITS.claimsPerSweep;
    askedMs = performance.now();
    try {
      const [threads, due] = await Promise.all([
        store.claimTodo({ limit, leaseMs: claimMs, mostMs: FURTHEST_MS }),
        store.claimDue({ limit: limit - items.atWork(), leaseMs: LIMITS.leaseMs }),
      ]);
      slowInARow = isSlow() ? slowInARow + 1 : 0;
      // A store that stays slow must not keep the threads of dead processes from the living.
      if (slowInARow === 1) unsteady();
      swept = true;
      askedMs = Number.POSITIVE_INFINITY;
      if (!open) return;
      onThreads(threads);
      for (const item of due) void items.handle(item);
      if (troubled) await seeThatItIsOver();
      // The store is away. The next sweep asks again.
    } catch (error) {
      noteTrouble(error);
    }
  };

  /** The pause varies, so that replicas do not sweep all at once. */
  const again = (): void => {
    if (!open) return;
    const inMs = LIMITS.sweepMs * (0.75 + Math.random() / 2);
    cancelNext = systemTimers.after(inMs, () => void sweep().finally(again));
  };

  return {
    start: () => {
      void sweep().finally(again);
      endBeats = every(LIMITS.leaseMs / 3, beat);
    },
    stop: () => {
      open = false;
      cancelNext();
    },
    end: () => endBeats(),
    noteTrouble,
    isSteady: () => performance.now() >= steadyFromMs && !isSlow(),
  };
}

/** Handles due items, each once at a time. Slack may take minutes for one of them, and no sweep waits for it. */
function createHandling({ onDue, log }: Pick<SweepDeps, 'onDue' | 'log'>) {
  const atWork = new Set<string>();
  return {
    atWork: () => atWork.size,
    handle: async (item: DueItem): Promise<void> => {
      const name = `${item.what}:${item.subject}`;
      if (atWork.has(name)) return;
      atWork.add(name);
      // Slack or the store failed. The item stays due and comes up again after its lease.
      await onDue(item).catch((error: unknown) => log.warn('A due item could not be handled.', { item, error }));
      atWork.delete(name);
    },
  };
}
