import type { Clock, Timers } from '../../interventions/index.ts';

/** Time that moves only when told, and what it sets off. */
export function testTimers(): Timers & Clock & { readonly advance: (ms: number) => void } {
  let nowMs = 0;
  const waiting = new Set<{ readonly atMs: number; readonly fire: () => void }>();
  return {
    now: () => nowMs,
    after: (delayMs, fire) => {
      const timer = { atMs: nowMs + delayMs, fire };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    advance: (ms) => {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...waiting].sort((a, b) => a.atMs - b.atMs);
        if (next === undefined || next.atMs > endMs) break;
        waiting.delete(next);
        nowMs = next.atMs;
        next.fire();
      }
      nowMs = endMs;
    },
  };
}
