import { createHash } from 'node:crypto';
import type { Clock, Timers } from '../../../interventions/index.ts';

/** What an agent takes from the world, unless it is handed something else. */
export interface World {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Names the exact call that a person approved, so it must be one that cannot be forged. */
  readonly hash: (text: string) => string;
}

export const THIS_WORLD: World = {
  clock: { now: () => Date.now() },
  timers: {
    after: (delayMs, fire) => {
      const timer = setTimeout(fire, delayMs);
      return () => clearTimeout(timer);
    },
  },
  hash: (text) => createHash('sha256').update(text).digest('hex'),
};

/** Waits, and gives up when the signal is aborted. */
export function sleepWith(timers: Timers): (delayMs: number, signal: AbortSignal) => Promise<void> {
  return (delayMs, signal) =>
    new Promise((resolve, reject) => {
      const stop = timers.after(delayMs, () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      });
      const giveUp = () => {
        stop();
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
}
