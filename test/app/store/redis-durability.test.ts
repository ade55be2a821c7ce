import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { openStore } from '../../../app/store/open.ts';
import { readRedisUrl } from '../../../app/store/redis/place.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { appendOf, newRun, newThread } from '../../support/store.ts';

const servers: RedisServer[] = [];
const stores: RedisStore[] = [];
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(servers.splice(0).map((server) => server.remove()));
});

const serve = async (...settings: readonly string[]): Promise<RedisServer> => {
  const server = await startRedisServer(...settings);
  servers.push(server);
  return server;
};
const open = async ({ url }: RedisServer, durability: 'process' | 'replica' | 'disk'): Promise<RedisStore> => {
  const store = await createRedisStore({ place: readRedisUrl(url), log: silentLog, durability });
  stores.push(store);
  return store;
};
const linked = async (replica: RedisServer): Promise<void> => {
  const look = replica.client();
  await expect.poll(() => look.info('replication'), { timeout: 20_000 }).toMatch(/master_link_status:up/);
};

describe('a Redis that is to keep what is weighty on a replica', () => {
  it('is refused at start without one', async () => {
    await expect(open(await serve(), 'replica')).rejects.toThrow(
      "durability is 'replica', and no replica of this Redis is connected",
    );
  });

  it('D13 answers a weighty append when the replica has it, and says so when it has not', async () => {
    const primary = await serve();
    const replica = await serve('--replicaof', `127.0.0.1 ${primary.port}`);
    await linked(replica);
    const admin = replica.client();
    const store = await open(primary, 'replica');
    const run = newRun(store, newThread());

    expect(await store.append(appendOf(run, 0, { weighty: true }))).toMatchObject({ type: 'ok' });
    await admin.replicaof('NO', 'ONE');
    // Nobody acts on these, so nobody waits for them.
    expect(await store.append(appendOf(run, 1))).toMatchObject({ type: 'ok' });
    const request = appendOf(run, 2, { weighty: true });
    await expect(store.append(request)).rejects.toThrow('has reached a replica');

    const patient = store.steady.append(request);
    await admin.replicaof('127.0.0.1', primary.port);
    expect(await patient).toEqual({ type: 'already', version: 3 });
    expect(await admin.llen(`cs:{s00}:r:${run}:j`)).toBe(3);
  });

  it('D13 answers many weighty appends at once', async () => {
    const primary = await serve();
    await linked(await serve('--replicaof', `127.0.0.1 ${primary.port}`));
    const store = await open(primary, 'replica');
    const runs = Array.from({ length: 200 }, () => newRun(store, newThread()));

    const answers = await Promise.all(runs.map((run) => store.append(appendOf(run, 0, { weighty: true }))));

    expect(answers.every(({ type }) => type === 'ok')).toBe(true);
  });
});

describe('a Redis that is to keep what is weighty on its disk', () => {
  it('is refused below 7.2, and otherwise keeps it there', async () => {
    const server = await serve('--appendfsync', 'everysec');
    const version = /redis_version:(\d+)\.(\d+)/.exec(await server.client().info('server')) ?? [];
    const able = Number(version[1]) * 100 + Number(version[2]) >= 702;

    const opened = open(server, 'disk');

    if (!able) return expect(opened).rejects.toThrow("durability is 'disk', which needs Redis 7.2");
    const store = await opened;
    const run = newRun(store, newThread());
    expect(await store.append(appendOf(run, 0, { weighty: true }))).toMatchObject({ type: 'ok' });
  });
});

describe('the embedded store', () => {
  it('is refused where a replica is asked for: it has none', async () => {
    await expect(
      openStore({ dataDir: '/nowhere', clock: systemClock, log: silentLog, durability: 'replica' }),
    ).rejects.toThrow('the embedded store is one file on one machine');
  });
});
