import { LIMITS } from '../limits.ts';

/** When what Slack did not take is tried again: after 5 s, doubling to 5 min, until 24 h have passed. */
export interface Retries {
  /** The delay until the next try of this, or `undefined` when it has failed for too long and is given up. */
  readonly next: (what: string) => number | undefined;
  /** It was taken, or nobody needs it any more: the next failure is a first one. */
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
      // The newest failure stands last, so the first key is the one that is forgotten.
      failing.delete(what);
      failing.set(what, { sinceMs, times: times + 1 });
      const [oldest] = failing.keys();
      if (failing.size > LIMITS.retriesKnown && oldest !== undefined) failing.delete(oldest);
      if (elapsed() - sinceMs >= LIMITS.retryForMs) return undefined;
      return Math.min(LIMITS.retryAfterMs * 2 ** times, LIMITS.retryApartMs);
    },
    done: (what) => void failing.delete(what),
  };
}
