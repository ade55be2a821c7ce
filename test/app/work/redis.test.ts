import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import type { ThreadKey } from '../../../app/records/index.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { openWork } from '../../../app/work/open.ts';
import type { Work, WorkDeps } from '../../../app/work/work.ts';
import { emptyRedis } from '../../support/redis.ts';
import { appendOf, newRun, newThread } from '../../support/store.ts';
import { describeWork, pause } from './contract.ts';

const openPlace = async () => {
  const redisUrl = await emptyRedis();
  const store = await createRedisStore({ place: readRedisUrl(redisUrl), log: silentLog });
  return {
    store: store.patient,
    redisUrl,
    open: (deps: WorkDeps) => openWork({ ...deps, redisUrl }),
    close: () => store.close(),
  };
};

describeWork('work on Redis', openPlace);

describe('several processes on one Redis', () => {
  /** Four at work, each telling who was at which thread. */
  const openFour = async () => {
    const place = await openPlace();
    const { store } = place;
    const at = new Map<ThreadKey, number>();
    const done: { readonly thread: ThreadKey; readonly by: number }[] = [];
    let clashes = 0;
    const engines = await Promise.all(
      [1, 2, 3, 4].map((by) =>
        place.open({
          store,
          advance: async (thread) => {
            if (at.has(thread)) clashes += 1;
            at.set(thread, by);
            await pause(20);
            const { inbox } = await store.thread(thread);
            at.delete(thread);
            await store.restTodo({ thread, run: undefined, version: 0, inboxLength: inbox.length });
            done.push({ thread, by });
            return 'done';
          },
          rest: async () => false,
          setAside: async () => {},
          by: `process ${by}`,
          onDue: async () => {},
          log: silentLog,
        }),
      ),
    );
    const close = async () => {
      await Promise.all(engines.map((engine: Work) => engine.close(1_000)));
      await place.close();
    };
    return { ...place, engines, done, clashes: () => clashes, close };
  };

  it('advance each thread in one process at a time, and all of them take part (FN1)', async () => {
    const four = await openFour();
    for (const engine of four.engines) engine.start();
    const threads = Array.from({ length: 100 }, () => newThread());

    for (const thread of threads) {
      await four.store.take({ key: thread, thread, item: '{}' });
      for (const engine of four.engines) engine.kick(thread);
    }

    await expect.poll(() => new Set(four.done.map(({ thread }) => thread)).size).toBe(100);
    expect(four.clashes()).toBe(0);
    expect(new Set(four.done.map(({ by }) => by)).size).toBeGreaterThan(1);
    await four.close();
  });

  it.each([
    { who: 'the process that waited goes on when no other process has it', faster: false },
    { who: 'the process that waited releases it when another one was faster', faster: true },
  ])('of an answered thread, $who (D11)', async ({ faster }) => {
    const place = await openPlace();
    const { store } = place;
    const thread = newThread();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isOurs: boolean | undefined;
    const work: Work = await place.open({
      store,
      advance: async () => {
        await answered;
        isOurs = await work.hold(thread);
        return 'later';
      },
      rest: () => store.restTodo({ thread, run: undefined, version: 0, inboxLength: 1 }),
      setAside: async () => {},
      by: 'process',
      onDue: async () => {},
      log: silentLog,
    });
    work.start();
    await store.take({ key: thread, thread, item: '{}' });
    await expect.poll(async () => (await store.claimTodo({ limit: 9, leaseMs: 0 })).length).toBe(1);
    await expect.poll(async () => (await store.claimTodo({ limit: 9, leaseMs: 0 })).length).toBe(0);
    await expect.poll(() => store.claimThread(thread, 0, Number.MAX_SAFE_INTEGER)).toBe(false);

    const effects = [{ type: 'todo' as const, thread, inMs: faster ? 60_000 : 50 }];
    await store.append(appendOf(newRun(store, thread), 0, { effects }));
    if (faster) expect(await store.claimThread(thread, 60_000, 60_000)).toBe(true);
    answer();

    await expect.poll(() => isOurs).toBe(!faster);
    await work.close(1_000);
    await place.close();
  });

  it('leave a thread to a process that is told to stop while it brings the thread to a safe point, however long a lease is (FK24)', async () => {
    const place = await openPlace();
    const { store } = place;
    const thread = newThread();
    const at: string[] = [];
    const advancing = (who: string, ms: number) =>
      place.open({
        store,
        advance: async () => {
          at.push(`${who} begins`);
          await pause(ms);
          at.push(`${who} ends`);
          const { inbox } = await store.thread(thread);
          await store.restTodo({ thread, run: undefined, version: 0, inboxLength: inbox.length });
          return 'done';
        },
        rest: async () => false,
        setAside: async () => {},
        onDue: async () => {},
        by: who,
        log: silentLog,
      });
    const [slow, other] = [
      await advancing('slow', LIMITS.leaseMs + LIMITS.queuePatienceMs + 2_000),
      await advancing('other', 0),
    ];
    slow.start();
    await store.take({ key: thread, thread, item: '{}' });
    await expect.poll(() => at).toEqual(['slow begins']);

    other.start();
    await slow.close(20_000);

    expect(at).toEqual(['slow begins', 'slow ends']);
    await other.close(1_000);
    await place.close();
  });

  it('go on when every key of the queue is deleted under them (FR16)', async () => {
    const four = await openFour();
    const client = new Redis(four.redisUrl);
    for (const engine of four.engines) engine.start();
    const threads = Array.from({ length: 60 }, () => newThread());

    for (const thread of threads) {
      await four.store.take({ key: thread, thread, item: '{}' });
      four.engines[0]?.kick(thread);
      const keys = await client.keys('cs:{queue}*');
      if (keys.length > 0) await client.del(...keys);
    }

    await expect.poll(() => new Set(four.done.map(({ thread }) => thread)).size).toBe(60);
    client.disconnect();
    await four.close();
  });

  it('go on without a queue, by claiming threads that are not handed out (FR16)', async () => {
    const four = await openFour();
    const client = new Redis(four.redisUrl);
    for (const engine of four.engines) engine.start();
    // A person paused this queue in place of the queue of another program.
    await client.hset('cs:{queue}:threads:meta', 'paused', 1);
    await client.del('cs:{queue}:threads:marker');
    const threads = Array.from({ length: 10 }, () => newThread());

    for (const thread of threads) await four.store.take({ key: thread, thread, item: '{}' });

    await expect.poll(() => new Set(four.done.map(({ thread }) => thread)).size).toBe(10);
    expect(four.clashes()).toBe(0);
    client.disconnect();
    await four.close();
  });
});
