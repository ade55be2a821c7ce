import { setTimeout as reallyPause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoreUnavailableError } from '../../../app/store/errors.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import { type KeptLog, keptLog } from '../../support/kept-log.ts';
import { startProxy, type TestProxy } from '../../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { appendOf, newRun, newThread } from '../../support/store.ts';

/* The clock of the client moves when a test says so. Redis and the network take the time they take. */

const STEP_MS = 50;
const LOST = 'warn: The subscription to hints is lost; taking a new one.';

let redis: RedisServer;
let wire: TestProxy;
let store: RedisStore;
let kept: KeptLog;

beforeEach(async () => {
  redis = await startRedisServer();
  wire = await startProxy(redis.port);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  kept = keptLog();
  store = await createRedisStore({ place: readRedisUrl(`redis://127.0.0.1:${wire.port}`), log: kept.log });
});
afterEach(async () => {
  vi.useRealTimers();
  await store?.close();
  await wire?.close();
  await redis?.remove();
});

/** Time passes in short steps, with some real milliseconds after each for what is on its way. */
async function passes(ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    vi.advanceTimersByTime(Math.min(leftMs, STEP_MS));
    await reallyPause(2);
  }
}

const answerOf = (append: Promise<{ readonly type: string }>): Promise<string> =>
  append.then(
    ({ type }) => type,
    (error: unknown) => (error instanceof StoreUnavailableError ? 'not recorded' : String(error)),
  );

it('a press on a dead connection is answered within 1.5 s, even when new connections are dead (FR5)', async () => {
  const run = newRun(store, newThread());
  await store.append(appendOf(run, 0));
  wire.goSilent();
  wire.delay(3_600_000);

  let answer = 'none';
  const answered = answerOf(store.append(appendOf(run, 1))).then((given) => {
    answer = given;
  });
  await passes(1_500);
  expect(answer).toBe('not recorded');
  await answered;
});

it('a press on a dead connection counts within 1.5 s when a new connection works (FR5)', async () => {
  const run = newRun(store, newThread());
  await store.append(appendOf(run, 0));
  wire.goSilent();

  const answered = answerOf(store.append(appendOf(run, 1, { id: 'pressed' })));
  // Nothing but the patience with the silent connection takes time here.
  await passes(1_100);

  expect(['ok', 'already']).toContain(await answered);
});

it('a dead subscription is noticed within 4 s, and its listeners hear of the gap (FR6)', async () => {
  let gaps = 0;
  await store.watch({
    onHint: () => {},
    onGap: () => {
      gaps += 1;
    },
  });
  const before = gaps;
  wire.goSilent();
  expect(kept.lines.filter((line) => line.startsWith(LOST))).toEqual([]);

  await passes(4_000);
  expect(kept.lines.filter((line) => line.startsWith(LOST))).toHaveLength(1);

  const gapsLater = () => passes(STEP_MS).then(() => gaps);
  await expect.poll(gapsLater).toBeGreaterThan(before);
});
