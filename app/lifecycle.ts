import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import type { RunsAtWork } from './runs/index.ts';
import type { Store } from './store/index.ts';
import { type CancelTimer, every } from './time/index.ts';
import type { Work } from './work/index.ts';

/** A process, as the entry file starts and stops it. */
export interface Bot {
  /** Resolves when the bot takes deliveries. */
  readonly start: () => Promise<void>;
  /** Takes no new work, lets begun work reach a safe point, and leaves the rest to the journal. */
  readonly stop: () => Promise<void>;
}

export interface LifecycleParts {
  readonly store: Store;
  readonly tools: { readonly close: () => Promise<void> };
  readonly door: {
    readonly start: () => Promise<void>;
    readonly stop: () => Promise<void>;
    readonly drain: () => Promise<void>;
  };
  readonly runs: RunsAtWork;
  readonly work: Work;
  /** Never rejects. */
  readonly lookAtApprovers: () => Promise<unknown>;
  readonly hotMs: number;
  readonly log: Log;
}

/**
 * Start: the store answers, hints are heard, deliveries are taken, then unfinished work is taken up: a start that Slack refuses
 * has no run in hand when it ends. A stop leaves the same facts as a crash; it only lets work reach a safe point first.
 */
export function createLifecycle({ store, tools, door, runs, work, lookAtApprovers, hotMs, log }: LifecycleParts): Bot {
  const timers: CancelTimer[] = [];
  let hints: { readonly close: () => Promise<void> } | undefined;
  return {
    start: async () => {
      hints = await store.watch({ onHint: runs.onHint, onGap: runs.onGap });
      timers.push(
        // A lost hint costs at most this.
        every(LIMITS.reconcileMs, runs.onGap),
        every(Math.min(hotMs, LIMITS.reconcileMs), () => runs.parkWaiting(hotMs)),
      );
      await door.start();
      work.start();
      // Slack is asked while the bot serves.
      void lookAtApprovers();
      timers.push(every(LIMITS.approversLookMs, () => void lookAtApprovers()));
      log.info('Countersign is running.', { store: store.isExclusive ? 'sqlite' : 'redis' });
    },
    stop: async () => {
      for (const cancel of timers) cancel();
      // All begin at once, so that the limit holds for the whole: no new deliveries, no new work, and runs at work stop at
      // their next safe point.
      const closed = door.stop();
      const ended = work.close(LIMITS.shutdownMs);
      runs.parkAll();
      const [end] = await Promise.all([ended, closed]);
      if (end === 'cut') log.warn('Some work did not reach a safe point in time; the journal goes on with it.');
      await Promise.all([door.drain(), tools.close()]);
      await hints?.close();
      await store.close();
      log.info('Stopped.');
    },
  };
}
