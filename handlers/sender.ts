import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';

/** One thing at a time for each key, in the order it was asked for; other keys go on. */
export type Turns = <Answer>(key: string, work: () => Promise<Answer>) => Promise<Answer>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    // Whoever waited in front has heard of its own failure.
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

const ATTEMPTS = 4;
const LONGEST_WAIT_SECONDS = 30;

/** Waits out a rate limit as Slack asks. It is the one failure after which we know that nothing was done. */
export async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      // Anything else is the caller's to judge.
      if (!(error instanceof WebAPIRateLimitedError) || attempt === ATTEMPTS) throw error;
      const seconds = Math.min(error.retryAfter, LONGEST_WAIT_SECONDS);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}

/** Nobody knows whether Slack did it: the reply was lost, late or broken. */
export function isDoubtful(error: unknown): boolean {
  return error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
}

export function isSlackError(error: unknown, code: string): boolean {
  return error instanceof WebAPIPlatformError && error.data.error === code;
}

export function isRateLimited(error: unknown): error is WebAPIRateLimitedError {
  return error instanceof WebAPIRateLimitedError;
}
