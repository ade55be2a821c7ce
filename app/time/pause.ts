import type { Timers } from '../../interventions/index.ts';
import { systemTimers } from './timers.ts';

export interface PauseOptions {
  /** Ends the pause: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

export function pause(ms: number, { signal, timers = systemTimers }: PauseOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    });
    const giveUp = () => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
  });
}
