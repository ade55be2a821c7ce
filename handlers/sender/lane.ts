import type { Window } from './rates.ts';

/** Calls that Slack counts together: when the latest ones were sent, and until when Slack wants a pause. */
export interface Lane {
  /** The first moment at which one more call may be sent, if `leaves` places stay free for others. */
  readonly freeAtMs: (nowMs: number, leaves?: number) => number;
  readonly sent: (nowMs: number) => void;
  /** Slack said how long to wait. */
  readonly pauseUntil: (untilMs: number) => void;
  /** Slack had trouble of its own with a call: until it answers one, calls go one at a time, and this one takes up no place. */
  readonly troubled: (sentAtMs: number, untilMs: number) => void;
  readonly answered: () => void;
  readonly isTroubled: () => boolean;
  readonly isIdle: (nowMs: number) => boolean;
}

export function createLane({ most, withinMs }: Window): Lane {
  let times: number[] = [];
  let pausedUntilMs = 0;
  let inTrouble = false;
  /** The oldest is the first. Each look at a lane asks, and most find nothing to forget. */
  const forget = (nowMs: number) => {
    const [oldest = nowMs] = times;
    if (oldest <= nowMs - withinMs) times = times.filter((time) => time > nowMs - withinMs);
  };
  return {
    freeAtMs: (nowMs, leaves = 0) => {
      forget(nowMs);
      const places = most - leaves;
      const first = times.length < places ? nowMs : (times.at(-places) ?? nowMs) + withinMs;
      return Math.max(first, pausedUntilMs);
    },
    sent: (nowMs) => void times.push(nowMs),
    pauseUntil: (untilMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
    troubled: (sentAtMs, untilMs) => {
      inTrouble = true;
      const at = times.lastIndexOf(sentAtMs);
      times = times.filter((_, place) => place !== at);
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
    answered: () => {
      inTrouble = false;
    },
    isTroubled: () => inTrouble,
    isIdle: (nowMs) => {
      forget(nowMs);
      return times.length === 0 && pausedUntilMs <= nowMs;
    },
  };
}
