import { expect, it, onTestFinished, vi } from 'vitest';
import { idleTimers, systemTimers } from '../../../app/time/timers.ts';

it('a timer for a time that has passed fires at once, and Node warns of nothing (EDGE-3)', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));

  for (const timers of [systemTimers, idleTimers])
    await new Promise<void>((resolve) => void timers.after(-1_000, resolve));
  await new Promise((resolve) => setImmediate(resolve));

  expect(warnings).toEqual([]);
});

it.each([systemTimers, idleTimers])(
  'a timer for more than 24 days fires when they are over, and not at once (%#)',
  (timers) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [MONTH, NEVER] = [30 * 24 * 60 * 60 * 1000, Number.POSITIVE_INFINITY];
    const fired: number[] = [];
    for (const ms of [MONTH, NEVER]) timers.after(ms, () => fired.push(ms));
    timers.after(MONTH, () => fired.push(0))();

    vi.advanceTimersByTime(MONTH - 1);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(MONTH);
    expect(fired).toEqual([MONTH]);
  },
);
