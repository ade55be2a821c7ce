import { AbortedError } from './errors.ts';

/** Time is handed in: the library owns no clock and starts no timer. */
export interface Clock {
  readonly now: () => number;
}

export interface Timers {
  /** Calls `fire` once after this time, unless the returned function is called first. */
  readonly after: (delayMs: number, fire: () => void) => () => void;
}

export interface Limit {
  readonly signal: AbortSignal;
  readonly timers: Timers;
  /** `null`: no limit. */
  readonly timeoutMs: number | null;
  readonly onTimeout: () => Error;
}

/**
 * Waits for a promise, until the limit or until the signal is aborted. What the promise does later is ignored, so an
 * approval after a cancel does not count.
 */
export function within<Value>(promise: PromiseLike<Value>, limit: Limit): Promise<Value> {
  const { signal, timers, timeoutMs, onTimeout } = limit;
  return new Promise((resolve, reject) => {
    const stop = timeoutMs === null ? () => {} : timers.after(timeoutMs, () => settle(() => reject(onTimeout())));
    const abort = () => settle(() => reject(new AbortedError(signal.reason)));
    const settle = (finish: () => void) => {
      stop();
      signal.removeEventListener('abort', abort);
      finish();
    };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
    if (signal.aborted) abort();
  });
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
