import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { createLog, type Log, silentLog } from '../../../app/log.ts';
import type { RunId } from '../../../app/records/index.ts';
import { StoreSetupError, StoreUnavailableError } from '../../../app/store/errors.ts';
import { wakeChannel } from '../../../app/store/keys.ts';
import { openStore } from '../../../app/store/open.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import type { Hint, Store } from '../../../app/store/store.ts';
import { startProxy, type TestProxy } from '../../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { appendOf, newEntryId, newRun, newThread } from '../../support/store.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function redis(...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(...settings);
  closers.push(server.remove);
  return server;
}

async function proxyTo({ port }: RedisServer): Promise<TestProxy> {
  const proxy = await startProxy(port);
  closers.push(proxy.close);
  return proxy;
}

async function storeAt(port: number): Promise<RedisStore> {
  const place = readRedisUrl(`redis://127.0.0.1:${port}`);
  const store = await createRedisStore({ place, log: silentLog });
  closers.push(store.close);
  return store;
}

async function listen(store: Store) {
  const hints: Hint[] = [];
  const seen = { hints, gaps: 0 };
  await store.watch({
    onHint: ({ entries: _entries, ...hint }) => hints.push(hint),
    onGap: () => {
      seen.gaps += 1;
    },
  });
  return seen;
}

function news(store: Store) {
  const thread = newThread();
  const hint: Hint = { thread, run: newRun(store, thread), version: 1 };
  return { thread, hint, request: appendOf(hint.run, 0, { effects: [{ type: 'hint', hint }] }) };
}

describe('a Redis that is restarted', () => {
  it('is waited for by work that has time, which then goes on (FR1)', async () => {
    const server = await redis();
    const store = await storeAt(server.port);
    const heard = await listen(store);
    const before = news(store);
    await store.append(before.request);
    const gaps = heard.gaps;

    await server.kill();
    const { request, hint } = news(store);
    const waiting = store.patient.append(request);
    await server.start();

    expect(['ok', 'already']).toContain((await waiting).type);
    expect((await store.patient.read(before.hint.run)).version).toBe(1);
    await expect.poll(() => heard.gaps).toBeGreaterThan(gaps);
    await store.append(appendOf(hint.run, 1, { effects: [{ type: 'hint', hint: { ...hint, version: 2 } }] }));
    await expect.poll(() => heard.hints).toContainEqual({ ...hint, version: 2 });
  });

  it('makes the store tell a waiting person that it is away, and takes the same append later (FR13)', async () => {
    const server = await redis();
    const store = await storeAt(server.port);
    const run = newRun(store, newThread());
    const request = appendOf(run, 0);
    await store.append(appendOf(newRun(store, newThread()), 0));

    await server.kill();
    await expect(store.append(request)).rejects.toThrow(StoreUnavailableError);
    await expect(store.health()).rejects.toThrow(/asking again is safe/);
    await server.start();
    // The connection of people who wait comes back by itself, a moment after the server.
    await expect.poll(() => store.health().then(() => 'back', String)).toBe('back');

    expect(await store.append(request)).toMatchObject({ type: 'ok', version: 1 });
  });

  it('is waited for at the start, and the log says so (FR13)', async () => {
    const server = await redis();
    await server.kill();
    const lines: string[] = [];
    const log = createLog('warn', (line) => lines.push(line));

    const opening = openStore({ redisUrl: server.url, dataDir: '', clock: systemClock, log });
    await expect.poll(() => lines.join()).toMatch(/cannot be reached; trying until it can. See that REDIS_URL/);
    await server.start();
    const store = await opening;
    closers.push(store.close);

    expect(await store.append(appendOf(newRun(store, newThread()), 0))).toMatchObject({ type: 'ok' });
  });

  /** Fifty writers until the server is killed. What was acknowledged, and when, in the order of each run. */
  const killUnderLoad = async (server: RedisServer, store: RedisStore, enough: (acknowledged: number) => boolean) => {
    const acknowledged: { readonly run: RunId; readonly id: string; readonly atMs: number }[] = [];
    let ending = false;
    const writers = Array.from({ length: 50 }, async () => {
      const run = newRun(store, newThread());
      for (let version = 0; !ending; version += 1) {
        const id = newEntryId();
        const effects = [{ type: 'member', index: { what: 'threads', of: run }, member: id }] as const;
        try {
          await store.append(appendOf(run, version, { id, items: [id], effects }));
          acknowledged.push({ run, id, atMs: performance.now() });
        } catch {
          return;
        }
      }
    });
    await expect.poll(() => enough(acknowledged.length)).toBe(true);
    const killedMs = performance.now();
    await server.kill();
    ending = true;
    await Promise.all(writers);
    await server.start();
    return { acknowledged, killedMs };
  };
  const idsIn = async (store: RedisStore, runs: Iterable<RunId>) => {
    const present = new Map<RunId, readonly string[]>();
    for (const run of runs)
      present.set(
        run,
        (await store.patient.read(run)).entries.map(({ id }) => id),
      );
    return present;
  };

  it('has every acknowledged append after kill -9 under load (FR2, D13)', async () => {
    const server = await redis();
    const store = await storeAt(server.port);

    for (let round = 0; round < 3; round += 1) {
      const { acknowledged } = await killUnderLoad(server, store, (count) => count > 2_000);
      const present = await idsIn(store, new Set(acknowledged.map(({ run }) => run)));

      expect(acknowledged.filter(({ run, id }) => !present.get(run)?.includes(id))).toEqual([]);
      // What was not acknowledged may be there, but never half.
      for (const [run, ids] of present) {
        expect(await store.patient.readItems(run)).toEqual(ids);
        expect([...(await store.patient.members({ what: 'threads', of: run }))].sort()).toEqual([...ids].sort());
      }
    }
  });

  /** With `everysec` the server puts writes off while its disk is busy with a sync, two seconds at most, and answers. */
  const PUT_OFF_MS = 2_000;

  it('has with `everysec` all but the entries of the last seconds after kill -9 under load (FR2)', async () => {
    const server = await redis('--appendfsync', 'everysec');
    const store = await storeAt(server.port);
    const sinceMs = performance.now();

    const { acknowledged, killedMs } = await killUnderLoad(
      server,
      store,
      () => performance.now() - sinceMs > 3 * PUT_OFF_MS,
    );
    const present = await idsIn(store, new Set(acknowledged.map(({ run }) => run)));

    const old = acknowledged.filter(({ atMs }) => atMs < killedMs - PUT_OFF_MS - 1_000);
    expect(old.length).toBeGreaterThan(0);
    expect(old.filter(({ run, id }) => !present.get(run)?.includes(id))).toEqual([]);
    // Never one from the middle.
    for (const [run, ids] of present)
      expect(acknowledged.flatMap((one) => (one.run === run ? one.id : [])).slice(0, ids.length)).toEqual(
        ids.slice(0, acknowledged.filter((one) => one.run === run).length),
      );
  });
});

describe('a connection that no longer carries anything', () => {
  it('is replaced, and the append that hung on it is not lost (FR5)', async () => {
    const proxy = await proxyTo(await redis());
    const store = await storeAt(proxy.port);
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0));

    proxy.goSilent();
    // Recorded on the new connection, or honestly not.
    const answer = await store.append(appendOf(run, 1, { id: 'pressed' })).catch((error: unknown) => error);

    expect(answer instanceof StoreUnavailableError || answer).toSatisfy(
      (given) => given === true || ['ok', 'already'].includes(given.type),
    );
    // On a busy computer, an attempt may end before the new connection is there.
    const again = () => store.append(appendOf(run, 1, { id: 'pressed' })).then(({ type }) => type, String);
    await expect.poll(again).toMatch(/^(ok|already)$/);
    expect((await store.read(run)).entries.map(({ id }) => id).filter((id) => id === 'pressed')).toHaveLength(1);
  });

  it('is noticed by its listener, which hears of the gap and then hears hints again (FR6)', async () => {
    const server = await redis();
    const proxy = await proxyTo(server);
    const writer = await storeAt(server.port);
    const store = await storeAt(proxy.port);
    const heard = await listen(store);
    const gaps = heard.gaps;

    proxy.goSilent();
    const missed = news(writer);
    await writer.append(missed.request);
    await expect.poll(() => heard.gaps).toBeGreaterThan(gaps);
    const { request, hint } = news(writer);
    await writer.append(request);

    await expect.poll(() => heard.hints).toEqual([hint]);
    const versionNow = () => store.read(missed.hint.run).then(({ version }) => version, String);
    await expect.poll(versionNow).toBe(1);
  });
});

describe('hints', () => {
  it('may all be lost: their news is found in `todo` (FR7)', async () => {
    const server = await redis();
    const proxy = await proxyTo(server);
    const writer = await storeAt(server.port);
    const store = await storeAt(proxy.port);
    const heard = await listen(store);
    proxy.swallow('wake');
    const { thread, hint } = news(writer);

    const answer = await writer.append(
      appendOf(hint.run, 0, {
        effects: [
          { type: 'hint', hint },
          { type: 'todo', thread, inMs: 100 },
        ],
      }),
    );

    expect(answer).toMatchObject({ type: 'ok', receivers: 1 });
    await expect.poll(() => store.claimTodo({ limit: 9, leaseMs: 60_000 })).toEqual([thread]);
    expect(heard.hints).toEqual([]);
  });

  it('that are malformed are ignored (FR8)', async () => {
    const server = await redis();
    const store = await storeAt(server.port);
    const heard = await listen(store);
    const stranger = server.client();
    const { request, hint } = news(store);

    const odd = [
      '',
      'null',
      '{',
      '[]',
      '{"thread":1}',
      JSON.stringify({ ...hint, run: 'x' }),
      JSON.stringify({ ...hint, version: '1' }),
    ];
    for (const text of odd) await stranger.publish(wakeChannel('00', 0), text);
    await store.append(request);

    await expect.poll(() => heard.hints).toEqual([hint]);
  });

  it('stay within the database to which they belong', async () => {
    const server = await redis();
    const store = await storeAt(server.port);
    const elsewhere = await createRedisStore({ place: readRedisUrl(`${server.url}/3`), log: silentLog });
    closers.push(elsewhere.close);
    const heard = await listen(elsewhere);

    expect(await store.append(news(store).request)).toMatchObject({ receivers: 0 });
    expect(heard.hints).toEqual([]);
  });
});

describe('a Redis in trouble', () => {
  it('that is slow makes the append fail with a reason, and the same append later is written once (FR9)', async () => {
    const proxy = await proxyTo(await redis());
    const store = await storeAt(proxy.port);
    const run = newRun(store, newThread());
    await store.read(run);
    const request = appendOf(run, 0);

    proxy.delay(2_000);
    await expect(store.append(request)).rejects.toThrow(StoreUnavailableError);
    proxy.heal();

    expect(['ok', 'already']).toContain((await store.patient.append(request)).type);
    expect((await store.patient.read(run)).version).toBe(1);
  });

  it('that has forgotten its scripts gets them again (FR10)', async () => {
    const server = await redis();
    const store = await storeAt(server.port);
    const thread = newThread();
    const run = newRun(store, thread);
    const client = server.client();

    for (let version = 0; version < 3; version += 1) {
      await client.script('FLUSH');
      expect(await store.append(appendOf(run, version))).toMatchObject({ type: 'ok' });
      await client.script('FLUSH');
      expect((await store.read(run)).version).toBe(version + 1);
      await client.script('FLUSH');
      expect(await store.take({ key: `${version}`, thread, item: '{}' })).toBe('taken');
      await client.script('FLUSH');
      expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([thread]);
    }
  });

  it('that is full writes nothing and says so, and goes on when it has room (FR12)', async () => {
    const server = await redis('--maxmemory-policy', 'noeviction');
    const store = await storeAt(server.port);
    const client = server.client();
    const thread = newThread();
    const run = newRun(store, thread);
    const request = appendOf(run, 0, { items: ['big'], effects: [{ type: 'todo', thread, inMs: 0 }] });

    await client.config('SET', 'maxmemory', '1');
    await expect(store.append(request)).rejects.toThrow(/out of memory and wrote nothing/);
    await expect(store.take({ key: 'a', thread, item: '{}' })).rejects.toThrow(/out of memory and wrote nothing/);
    await client.config('SET', 'maxmemory', '0');

    expect(await store.read(run)).toMatchObject({ version: 0, entries: [] });
    expect(await store.readItems(run)).toEqual([]);
    expect((await store.thread(thread)).inbox).toEqual([]);
    expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([]);
    expect(await store.append(request)).toMatchObject({ type: 'ok' });
    expect(await store.take({ key: 'a', thread, item: '{}' })).toBe('taken');
  });

  it.each(['allkeys-lru', 'volatile-ttl'])(
    'that may throw facts away (%s) is refused at the start, and not as one that cannot be reached (FR14)',
    async (policy) => {
      const server = await redis('--maxmemory-policy', policy);
      const lines: string[] = [];
      const log: Log = createLog('warn', (line) => lines.push(line));

      // The second connection is cut while it opens, and not at the same moment each time.
      for (let start = 0; start < 20; start += 1) {
        const opening = openStore({ redisUrl: server.url, dataDir: '', clock: systemClock, log });
        await expect(opening).rejects.toThrow(StoreSetupError);
        await expect(opening).rejects.toThrow(`its maxmemory-policy is ${policy}. Set maxmemory-policy to noeviction`);
      }
      expect(lines.join()).not.toContain('cannot be reached');
    },
  );

  it('that keeps no append-only file causes a warning (FR14)', async () => {
    const server = await redis('--appendonly', 'no');
    const lines: string[] = [];
    const log: Log = createLog('warn', (line) => lines.push(line));

    const store = await openStore({ redisUrl: server.url, dataDir: '', clock: systemClock, log });
    closers.push(store.close);

    expect(lines.join()).toMatch(/keeps no append-only file/);
    expect((await store.health()).warnings).toHaveLength(1);
  });

  it('that was set up with another number of shards is refused, and used when the deployment names no number', async () => {
    const server = await redis();
    const place = readRedisUrl(server.url);
    const first = await createRedisStore({ place, shards: 8, log: silentLog });
    const second = await createRedisStore({ place, log: silentLog });
    closers.push(first.close, second.close);

    await expect(createRedisStore({ place, shards: 4, log: silentLog })).rejects.toThrow(/set up with 8 shards/);
    expect(second.shards).toBe(8);
  });
});
