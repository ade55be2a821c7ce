import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import type { RunId } from '../../../app/records/index.ts';
import { journalKey } from '../../../app/store/keys.ts';
import { openStore } from '../../../app/store/open.ts';
import { readRedisUrl } from '../../../app/store/redis/place.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
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
const open = async (
  { url }: Pick<RedisServer, 'url'>,
  durability: 'process' | 'replica' | 'disk',
): Promise<RedisStore> => {
  const store = await createRedisStore({ place: readRedisUrl(url), log: silentLog, durability });
  stores.push(store);
  return store;
};
const idsIn = async (client: Redis, run: RunId): Promise<readonly (string | undefined)[]> =>
  (await client.lrange(journalKey(run), 0, -1)).map((line) => line.split(' ')[0]);
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

  it('answers a weighty append when the replica has it, and says so when it has not (D13)', async () => {
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
    expect(await admin.llen(journalKey(run))).toBe(3);
  });

  /** The primary has an append that the replica has not, dies, and somebody takes its place who never had it. */
  const lostBeforeItWasSafe = async () => {
    const primary = await serve();
    const replica = await serve('--replicaof', `127.0.0.1 ${primary.port}`);
    await linked(replica);
    const store = await open(primary, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', weighty: true }));
    const admin = replica.client();
    await admin.replicaof('NO', 'ONE');
    await primary.keep();

    const begun = store.steady.append(appendOf(run, 1, { id: 'call-started', weighty: true }));
    const look = primary.client();
    await expect.poll(() => look.llen(journalKey(run))).toBe(2);
    await primary.kill();
    await primary.setBack();
    await primary.start();
    const idsOf = (server: RedisServer) => idsIn(server.client(), run);
    const follow = () => admin.replicaof('127.0.0.1', primary.port);
    return { primary, replica, run, begun, idsOf, follow };
  };

  it('sends again what a fail-over has lost before it was safe (D13)', async () => {
    const { primary, replica, begun, idsOf, follow } = await lostBeforeItWasSafe();

    await follow();

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsOf(primary)).toEqual(['asked', 'call-started']);
    expect(await idsOf(replica)).toEqual(['asked', 'call-started']);
  });

  it('answers a conflict where somebody else was faster behind the fail-over (D13)', async () => {
    const { primary, run, begun, idsOf, follow } = await lostBeforeItWasSafe();
    const other = await open(primary, 'process');

    // Either may win; what is answered is what stands.
    const stopped = other.steady.append(appendOf(run, 1, { id: 'stopped' }));
    await follow();

    const answers = { 'call-started': (await begun).type, stopped: (await stopped).type };
    const [, winner = ''] = await idsOf(primary);
    expect(Object.entries(answers).filter(([, type]) => type !== 'conflict')).toEqual([[winner, expect.any(String)]]);
  });

  it('answers many weighty appends at once (D13)', async () => {
    const primary = await serve();
    await linked(await serve('--replicaof', `127.0.0.1 ${primary.port}`));
    const store = await open(primary, 'replica');
    const runs = Array.from({ length: 200 }, () => newRun(store, newThread()));

    const answers = await Promise.all(runs.map((run) => store.append(appendOf(run, 0, { weighty: true }))));

    expect(answers.every(({ type }) => type === 'ok')).toBe(true);
  });
});

describe('a Redis Cluster that is to keep what is weighty on a replica', () => {
  it('sends again, to the node that has taken over, what it had lost (FR11, D13)', { timeout: 120_000 }, async () => {
    const cluster = await startRedisCluster(1);
    const [primary] = cluster.servers;
    if (primary === undefined) throw new Error('The cluster has no node.');
    const replica = await cluster.addReplica(primary);
    const store = await open({ url: `${cluster.url},127.0.0.1:${replica.port}` }, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', weighty: true }));
    await replica.kill();

    const begun = store.steady.append(appendOf(run, 1, { id: 'call-started', weighty: true }));
    await expect.poll(() => primary.client().llen(journalKey(run))).toBe(2);
    await primary.kill();
    await replica.start();
    const heir = replica.client();
    await heir.call('cluster', 'failover', 'takeover');
    await expect.poll(() => heir.info('replication'), { timeout: 20_000 }).toContain('role:master');
    expect(await heir.llen(journalKey(run))).toBe(1);
    // Whoever died comes back, and follows the one that took over.
    await primary.start();

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsIn(heir, run)).toEqual(['asked', 'call-started']);
    await store.close();
    await cluster.remove();
  });
});

describe('a Redis behind sentinels that is to keep what is weighty on a replica', () => {
  it('sends again, to the replica that was promoted, what it had lost (FR11, D13)', { timeout: 120_000 }, async () => {
    const sentinels = await startSentinels();
    const { primary, replica } = sentinels;
    const store = await open(sentinels, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', weighty: true }));
    await replica.kill();

    const begun = store.steady.append(appendOf(run, 1, { id: 'call-started', weighty: true }));
    await expect.poll(() => primary.client().llen(journalKey(run))).toBe(2);
    await primary.kill();
    await replica.start();
    const heir = replica.client();
    await expect.poll(() => heir.info('replication'), { timeout: 60_000 }).toContain('role:master');
    // Whoever died comes back, and follows the one that took over. Sentinels see to it as well, a quarter of a minute later.
    await primary.start();
    await primary.client().replicaof('127.0.0.1', replica.port);

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsIn(heir, run)).toEqual(['asked', 'call-started']);
    await store.close();
    await sentinels.remove();
  });
});

describe('a Redis that is to keep what is weighty on its disk', () => {
  it('is refused below 7.2, and otherwise answers when it is there, and says so when it is not (D13)', async () => {
    const server = await serve('--appendfsync', 'everysec');
    const version = /redis_version:(\d+)\.(\d+)/.exec(await server.client().info('server')) ?? [];
    const able = Number(version[1]) * 100 + Number(version[2]) >= 702;

    const opened = open(server, 'disk');

    if (!able) return expect(opened).rejects.toThrow("durability is 'disk', which needs Redis 7.2");
    const store = await opened;
    const run = newRun(store, newThread());
    expect(await store.append(appendOf(run, 0, { weighty: true }))).toMatchObject({ type: 'ok' });
    await server.client().config('SET', 'appendonly', 'no');
    // Nobody acts on these, so nobody waits for them.
    expect(await store.append(appendOf(run, 1))).toMatchObject({ type: 'ok' });
    await expect(store.append(appendOf(run, 2, { weighty: true }))).rejects.toThrow('disk');
  });
});

describe('the embedded store', () => {
  it('is refused where a replica is asked for: it has none', async () => {
    await expect(
      openStore({ dataDir: '/nowhere', clock: systemClock, log: silentLog, durability: 'replica' }),
    ).rejects.toThrow('the embedded store is one file on one machine');
  });
});
