import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { type CancelTimer, every, systemTimers } from '../time/index.ts';
import type { WorkDeps } from './work.ts';

/** Looks now and then for what is due. Whatever else was lost, this finds it. */
export interface Sweep {
  readonly start: () => void;
  /** Finds nothing more. What is at work is renewed until `end`: it comes to a safe point, and nobody is to take it on the way. */
  readonly stop: () => void;
  readonly end: () => void;
  /** Something could not be read or written. Said once when it begins and once when it ends. */
  readonly noteTrouble: (error: unknown) => void;
}

export interface SweepDeps extends Pick<WorkDeps, 'store' | 'onDue' | 'log'> {
  /** How long a thread that was found is left alone by other sweeps. */
  readonly claimMs: number;
  readonly onThreads: (threads: readonly ThreadKey[]) => void;
  readonly beat: () => void;
}

export function createSweep({ store, onDue, log, claimMs, onThreads, beat }: SweepDeps): Sweep {
  let open = true;
  let troubled = false;
  let cancelNext: CancelTimer = () => {};
  let endBeats: CancelTimer = () => {};

  const noteTrouble = (error: unknown): void => {
    if (!troubled) log.warn('The store cannot be reached; work goes on when it can.', { error });
    troubled = true;
  };

  const sweep = async (): Promise<void> => {
    const limit = LIMITS.claimsPerSweep;
    try {
      const [threads, due] = await Promise.all([
        store.claimTodo({ limit, leaseMs: claimMs }),
        store.claimDue({ limit, leaseMs: LIMITS.leaseMs }),
      ]);
      if (troubled) log.info('The store is back.');
      troubled = false;
      if (!open) return;
      onThreads(threads);
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
  };
}
