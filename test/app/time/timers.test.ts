import { expect, it, onTestFinished } from 'vitest';
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
