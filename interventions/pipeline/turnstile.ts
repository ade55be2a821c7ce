import { AbortedError } from '../errors.ts';

/** Lets a limited number of callers in at once. The others wait in line. */
export interface Turnstile {
  /** Resolves with the function to call on leaving. Rejects when the signal is aborted before there is room. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
}

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const line: (() => void)[] = [];
  const leaveOnce = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    enter: (signal) => {
      if (signal.aborted) return Promise.reject(new AbortedError(signal.reason));
      if (free > 0) {
        free -= 1;
        return Promise.resolve(leaveOnce());
      }
      return new Promise((resolve, reject) => {
        const admit = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(leaveOnce());
        };
        const giveUp = () => {
          line.splice(line.indexOf(admit), 1);
          reject(new AbortedError(signal.reason));
        };
        signal.addEventListener('abort', giveUp);
        line.push(admit);
      });
    },
  };
}
