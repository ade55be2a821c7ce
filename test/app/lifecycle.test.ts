import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLifecycle, type LifecycleParts } from '../../app/lifecycle.ts';
import { createLog } from '../../app/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY_MS = 24 * 60 * 60 * 1000;

it('a process looks the approvers of the configuration up when it has started, and every day until it stops (SURF-2)', async () => {
  const nothing = async () => {};
  const looks: number[] = [];
  const bot = createLifecycle({
    store: { watch: async () => ({ close: nothing }), close: nothing, isExclusive: true },
    tools: { close: nothing },
    door: { start: nothing, stop: nothing, drain: nothing },
    runs: { onHint: nothing, onGap: nothing, parkWaiting: nothing, parkAll: nothing },
    work: { start: nothing, close: nothing },
    lookAtApprovers: async () => void looks.push(Date.now()),
    hotMs: DAY_MS,
    log: createLog('error', () => {}),
  } as unknown as LifecycleParts);

  await bot.start();
  expect(looks).toHaveLength(1);
  vi.advanceTimersByTime(3 * DAY_MS);
  expect(looks).toHaveLength(4);
  await bot.stop();
  vi.advanceTimersByTime(3 * DAY_MS);
  expect(looks).toHaveLength(4);
});
