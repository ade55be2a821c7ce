import type { Timers } from '../../interventions/index.ts';

/** Cancels a planned call. Calling it late or twice does nothing. */
export type CancelTimer = () => void;

/** The timers of the platform. A planned call keeps the process alive until it fires or is cancelled. */
export const systemTimers: Timers = {
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, notNegative(delayMs));
    return () => clearTimeout(timer);
  },
};

/** The same, except that the process may end before a planned call fires. */
export const idleTimers: Timers = {
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, notNegative(delayMs)).unref();
    return () => clearTimeout(timer);
  },
};

/** A time that has passed meanwhile. Node would warn of it on standard error. */
const notNegative = (delayMs: number): number => Math.max(0, delayMs);

/** Calls `tick` at this interval, until the returned function is called. Keeps the process alive. */
export function every(intervalMs: number, tick: () => void): CancelTimer {
  const timer = setInterval(tick, intervalMs);
  return () => clearInterval(timer);
}
