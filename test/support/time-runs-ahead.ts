import { onTestFinished, vi } from 'vitest';

/** Far less than any limit of a call, which takes some twenty turns. */
const STEP_MS = 1;

/**
 * Until the test is over, each turn of the event loop takes some milliseconds more than it does, so that nothing has to be
 * waited for. Only where no real socket is waited for: that takes real time, and thousands of turns.
 */
export function timeRunsAhead(): void {
  const soon = setImmediate;
  let running = true;
  const turn = () => {
    if (!running) return;
    vi.advanceTimersByTime(STEP_MS);
    soon(turn);
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  soon(turn);
  onTestFinished(() => {
    running = false;
    vi.useRealTimers();
  });
}
