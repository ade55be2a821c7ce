import { LIMITS } from '../limits.ts';
import { keepNewest } from './newest.ts';

/** When a failed send to Slack is tried again: after 5 s, doubling to 5 min, until 24 h have passed. */
export interface Retries {
  /** The delay until the next try, or `undefined` when it has failed for too long and is given up. */
  readonly next: (what: string) => number | undefined;
  /** It was sent, or is no longer needed. The next failure counts as the first. */
  readonly done: (what: string) => void;
}

interface Failing {
  readonly sinceMs: number;
  readonly times: number;
}

/** Kept in memory. A restart begins with short delays again, which costs a few calls. */
export function createRetries({ elapsed }: { readonly elapsed: () => number }): Retries {
  const failing = new Map<string, Failing>();
  return {
    next: (what) => {
      const { sinceMs, times } = failing.get(what) ?? { sinceMs: elapsed(), times: 0 };
      keepNewest(failing, what, { sinceMs, times: times + 1 }, LIMITS.retriesKnown);
      if (elapsed() - sinceMs >= LIMITS.retryForMs) return undefined;
      return Math.min(LIMITS.retryAfterMs * 2 ** times, LIMITS.retryApartMs);
    },
    done: (what) => void failing.delete(what),
  };
}
