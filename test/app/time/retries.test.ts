import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { createRetries } from '../../../app/time/retries.ts';

it('tries a refused request to Slack again after 5 s, doubling to 5 min, and gives it up after 24 h (MF-11)', () => {
  const clock = testClock(1_000);
  const { next } = createRetries({ elapsed: clock.now });
  const delays: number[] = [];
  for (let inMs = next('run'); inMs !== undefined; inMs = next('run')) {
    delays.push(inMs / 1_000);
    clock.advance(inMs);
  }

  expect(delays.slice(0, 9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  expect(clock.now() - 1_000).toBeGreaterThanOrEqual(24 * 60 * 60 * 1_000);
  expect(delays.length).toBeLessThan(300);
});

it('begins with a short delay again after Slack has taken a request, and counts each run by itself (MF-11)', () => {
  const clock = testClock(1_000);
  const { next, done } = createRetries({ elapsed: clock.now });
  const before = [next('one'), next('one'), next('other')];
  done('one');

  expect([...before, next('one')]).toEqual([5_000, 10_000, 5_000, 5_000]);
});
