import type { Clock } from '../interventions/index.ts';

/** Now, in milliseconds. Handed in everywhere, so that a test can choose the hour. */
export type { Clock };

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that moves only when told. */
export function testClock(startMs = 0): Clock & { readonly advance: (ms: number) => void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
