import { setTimeout as reallyPause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../app/clock.ts';
import { openStore } from '../../../../app/store/open.ts';
import { readRedisUrl } from '../../../../app/store/redis/address.ts';
import { createRedisStore, type RedisStoreOptions } from '../../../../app/store/redis/store.ts';
import type { Store } from '../../../../app/store/store.ts';
import { keptLog } from '../../../support/kept-log.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis.ts';
import { appendOf, newApproval, newRun, newThread } from '../../../support/store.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
});
afterEach(() => vi.useRealTimers());
afterAll(() => server.remove());

const openAt = (url: string, more: Partial<RedisStoreOptions> = {}) => {
  const { log, lines } = keptLog();
  return { lines, opening: createRedisStore({ place: readRedisUrl(url), log, ...more }) };
};
/** The connections that the store has to this server, by the name it gives them. */
const connections = async (): Promise<number> => {
  const list = String(await server.client().client('LIST'));
  return list.split('\n').filter((line) => line.includes('name=countersign')).length;
};

it('a store on one new Redis has one shard, tries to write for its health, and leaves no connection when it is closed', async () => {
  const store = await openAt(server.freshDatabase()).opening;
  const run = newRun(store, newThread());
  await store.append(appendOf(run, 0));
  await store.watch({ onHint: () => {}, onGap: () => {} });
  expect(await store.journals('run')).toEqual([run]);

  expect(store.shards).toBe(1);
  // One for people who wait, one for work that can wait, and one for hints. That of the list is closed by now.
  await expect.poll(connections).toBe(3);
  await store.close();
  await expect.poll(connections).toBe(0);
});

it('a hint brings the entries of its append while they are short, and is one without them otherwise', async () => {
  const store = await openAt(server.freshDatabase()).opening;
  const run = newRun(store, newThread());
  const heard: (readonly string[] | undefined)[] = [];
  await store.watch({
    onHint: ({ entries }) => void heard.push(entries?.map(({ text }) => text.slice(0, 3))),
    onGap: () => {},
  });
  for (const [at, text] of ['"a"', `"${'b'.repeat(998)}"`, `"${'c'.repeat(999)}"`].entries()) {
    const hint = { thread: newThread(), run, version: at + 1 };
    await store.append(appendOf(run, at, { text, effects: [{ type: 'hint', hint }] }));
  }

  await expect.poll(() => heard).toEqual([['"a"'], ['"bb'], undefined]);
  await store.close();
});

it('a card is claimed by one process of many, which may claim it again, until that releases it or renews its claim no more (SURF-3)', async () => {
  const url = server.freshDatabase();
  const [store, other] = [await openAt(url).opening, await openAt(url).opening];
  const card = { of: newApproval(store, newThread()), what: 'card' } as const;
  const claim = (at: Store, by: string, state: string, leaseMs = 60_000) =>
    at.claimPainting({ ...card, state, by, leaseMs });

  const all = ['a', 'b', 'c', 'd'].map((by, at) => claim(at % 2 === 0 ? store : other, by, '1:2'));
  expect((await Promise.all(all)).sort()).toEqual(['1:2', '1:2', '1:2', undefined]);
  await store.releasePainting(card);
  expect(await claim(store, 'a', '1:2')).toBe(undefined);
  expect(await claim(store, 'a', '1:3')).toBe(undefined);
  expect(await claim(other, 'b', '1:4')).toBe('1:3');
  expect(await other.claimPainting({ ...card, what: 'copies', state: '1', by: 'b', leaseMs: 100 })).toBe(undefined);
  await store.releasePainting(card);
  expect(await claim(other, 'b', '1:4', 1_000)).toBe(undefined);
  expect(await claim(store, 'a', '1:4')).toBe('1:4');
  await expect.poll(() => claim(store, 'a', '1:4')).toBe(undefined);
  await Promise.all([store.close(), other.close()]);
});

it('a painting whose claim lasts longer than any lease is claimed, because the clock of Redis was set back (FT2)', async () => {
  const url = server.freshDatabase();
  const [store, other] = [await openAt(url).opening, await openAt(url).opening];
  const card = { of: newApproval(store, newThread()), what: 'card', state: '1' } as const;
  await store.claimPainting({ ...card, by: 'a', leaseMs: 3_600_000 });

  expect(await other.claimPainting({ ...card, by: 'b', leaseMs: 1_000 })).toBe(undefined);
  expect(await store.claimPainting({ ...card, by: 'a', leaseMs: 1_000 })).toBe('1');
  await Promise.all([store.close(), other.close()]);
});

it('a reader writes nothing, not even for its health, and needs no durability', async () => {
  const url = server.freshDatabase();
  const admin = server.client();
  await admin.select(Number(url.split('/').at(-1)));
  const store = await openAt(url).opening;
  const changes = async () => /rdb_changes_since_last_save:(\d+)/.exec(await admin.info('persistence'))?.[1];

  const before = await changes();
  const reader = await openAt(url, { readOnly: true, durability: 'replica' }).opening;
  await reader.health();
  expect(await changes()).toBe(before);
  await store.health();
  expect(await changes()).not.toBe(before);
  await Promise.all([reader.close(), store.close()]);
});

it('a reader of a Redis that no bot has used is refused, creates nothing, and leaves no connection', async () => {
  const url = server.freshDatabase();
  const admin = server.client();
  await admin.select(Number(url.split('/').at(-1)));

  await expect(openAt(url, { readOnly: true }).opening).rejects.toThrow(
    'Nothing of Countersign is stored in this Redis.',
  );

  expect(await admin.dbsize()).toBe(0);
  await expect.poll(connections).toBe(0);
});

it('a reader waits five seconds for a Redis that is away, and hears the reason in one sentence in place of the log', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const { opening, lines } = openAt('redis://127.0.0.1:1', { readOnly: true });
  const answer = opening.then(() => 'opened', String);
  let known = false;
  void answer.then(() => {
    known = true;
  });
  const passes = async (ms: number) => {
    for (let leftMs = ms; leftMs > 0 && !known; leftMs -= 100) {
      vi.advanceTimersByTime(100);
      await reallyPause(2);
    }
  };

  await passes(2_000);
  expect(known).toBe(false);
  await passes(60_000);

  expect(await answer).toMatch(
    /Redis at 127\.0\.0\.1:1 gave no answer for 5 seconds \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. See that it runs/,
  );
  expect(lines).toEqual([]);
});

it('a start with a wrong password is refused with the reason in the error and nothing in the log (MF-15)', async () => {
  const admin = server.client();
  await admin.config('SET', 'requirepass', 'right');
  try {
    const { opening, lines } = openAt(server.url.replace('://', '://:wrong@'));

    await expect(opening).rejects.toThrow(`Redis at 127.0.0.1:${server.port} refuses the login that REDIS_URL gives`);
    expect(lines).toEqual([]);
  } finally {
    await admin.config('SET', 'requirepass', '');
  }
});

it('a start waits for a Redis that is away, and says so in the log (FR13)', async () => {
  await server.kill();
  const { opening, lines } = openAt(server.url);
  await expect.poll(() => lines.join()).toMatch(/^warn: Redis cannot be reached; trying until it can/);
  await server.start();

  await (await opening).close();
});

it('a start on a Redis that takes no write goes on, and says in the log why its work waits (FR12)', async () => {
  const given = { redisUrl: server.freshDatabase(), dataDir: '', clock: systemClock };
  await (await openStore({ ...given, log: keptLog().log })).close();
  const admin = server.client();
  await admin.config('SET', 'maxmemory', '1');
  try {
    const { log, lines } = keptLog();
    const store = await openStore({ ...given, log });

    expect(lines).toContain('warn: Redis is out of memory and wrote nothing. Raise its maxmemory.');
    await expect(store.health()).rejects.toThrow('Redis is out of memory');
    await store.close();
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
});
