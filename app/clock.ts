import type { Clock } from '../interventions/index.ts';

/** The time in milliseconds. It is always handed in, so that a test can choose it. */
export type { Clock };

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that moves only by `advance`. */
export function testClock(startMs = 0): Clock & { readonly advance: (ms: number) => void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
