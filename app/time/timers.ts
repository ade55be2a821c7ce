import type { Timers } from '../../interventions/index.ts';

/** Cancels a planned call. Calling it late or twice does nothing. */
export type CancelTimer = () => void;

/** The timers of the platform. A planned call keeps the process alive until it fires or is cancelled. */
export const systemTimers: Timers = { after: (delayMs, fire) => plan(delayMs, fire, (timer) => timer) };

/** The same, except that the process may end before a planned call fires. */
export const idleTimers: Timers = { after: (delayMs, fire) => plan(delayMs, fire, (timer) => timer.unref()) };

/** Node fires a timer for longer than this at once. */
const LONGEST_MS = 2 ** 31 - 1;

function plan(delayMs: number, fire: () => void, kept: (timer: NodeJS.Timeout) => NodeJS.Timeout): CancelTimer {
  const arm = (leftMs: number): NodeJS.Timeout => {
    const later = () => {
      timer = arm(leftMs - LONGEST_MS);
    };
    return kept(leftMs > LONGEST_MS ? setTimeout(later, LONGEST_MS) : setTimeout(fire, leftMs));
  };
  // A time may have passed meanwhile, and Node would warn of it on standard error.
  let timer = arm(Math.max(0, delayMs));
  return () => clearTimeout(timer);
}

/** Calls `tick` at this interval, until the returned function is called. Keeps the process alive. */
export function every(intervalMs: number, tick: () => void): CancelTimer {
  const timer = setInterval(tick, intervalMs);
  return () => clearInterval(timer);
}
