import type { Window } from './rates.ts';

/** Calls that Slack counts together: when the latest ones were sent, and until when Slack wants a pause. */
export interface Lane {
  /** The first moment at which one more call may be sent. */
  readonly freeAtMs: (nowMs: number) => number;
  readonly sent: (nowMs: number) => void;
  /** Slack said how long to wait. */
  readonly pauseUntil: (untilMs: number) => void;
  readonly isIdle: (nowMs: number) => boolean;
}

export function createLane({ most, withinMs }: Window): Lane {
  let times: number[] = [];
  let pausedUntilMs = 0;
  const forget = (nowMs: number) => {
    times = times.filter((time) => time > nowMs - withinMs);
  };
  return {
    freeAtMs: (nowMs) => {
      forget(nowMs);
      const first = times.length < most ? nowMs : (times.at(-most) ?? nowMs) + withinMs;
      return Math.max(first, pausedUntilMs);
    },
    sent: (nowMs) => void times.push(nowMs),
    pauseUntil: (untilMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
    isIdle: (nowMs) => {
      forget(nowMs);
      return times.length === 0 && pausedUntilMs <= nowMs;
    },
  };
}
