import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../app/clock.ts';
import { createLog, silentLog } from '../../../../app/log.ts';
import type { RunId } from '../../../../app/records/index.ts';
import { journalKey } from '../../../../app/store/keys.ts';
import { openStore } from '../../../../app/store/open.ts';
import { readRedisUrl } from '../../../../app/store/redis/address.ts';
import { beat } from '../../../../app/store/redis/connection/beat.ts';
import { connectForCommands, connectForHints } from '../../../../app/store/redis/connection/clients.ts';
import { primaryOf } from '../../../../app/store/redis/connection/nodes.ts';
import { createSettle } from '../../../../app/store/redis/settle.ts';
import { createRedisStore } from '../../../../app/store/redis/store.ts';
import type { Hint } from '../../../../app/store/store.ts';
import { type RedisCluster, startRedisCluster } from '../../../support/redis-cluster.ts';
import { appendOf, newRun, newThread } from '../../../support/store.ts';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster.remove());

let added: Promise<unknown> | undefined;
/** The first node gets one, once. */
const addReplica = (): Promise<unknown> => {
  const [first] = cluster.servers;
  if (first === undefined) throw new Error('The cluster has no nodes.');
  added ??= cluster.addReplica(first);
  return added;
};

const open = () => createRedisStore({ place: readRedisUrl(cluster.url), log: silentLog });

describe('a Redis Cluster', () => {
  it('can move a slot while its runs are written to (FR11)', async () => {
    const [store, other] = await Promise.all([open(), open()]);
    expect(store.shards).toBe(64);
    const thread = newThread();
    const run = newRun(store, thread);
    const heard: Hint[] = [];
    await other.watch({ onHint: ({ entries: _entries, ...hint }) => heard.push(hint), onGap: () => {} });
    let moved = false;
    const appended: string[] = [];

    const writing = (async () => {
      for (let version = 0; !moved; version += 1) {
        const answer = await store.patient.append(appendOf(run, version, { id: `e${version}` }));
        if (answer.type === 'ok' || answer.type === 'already') appended.push(`e${version}`);
      }
    })();
    await expect.poll(() => appended.length).toBeGreaterThan(100);
    await cluster.moveSlotOf(journalKey(run));
    const before = appended.length;
    await expect.poll(() => appended.length).toBeGreaterThan(before + 100);
    moved = true;
    await writing;

    expect((await other.read(run)).entries.map(({ id }) => id)).toEqual(appended);
    const version = appended.length;
    const publish = async () => {
      const { version: at } = await store.read(run);
      await store.append(appendOf(run, at, { effects: [{ type: 'hint', hint: { thread, run, version } }] }));
      return heard.length;
    };
    await expect.poll(publish, { interval: 200 }).toBeGreaterThan(0);
    await Promise.all([store.close(), other.close()]);
  });

  it('tells its listeners of the gap when its subscriptions were cut, and they hear again (FR6)', async () => {
    const [store, other] = await Promise.all([open(), open()]);
    const heard: Hint[] = [];
    let gaps = 0;
    await other.watch({
      onHint: ({ entries: _entries, ...hint }) => heard.push(hint),
      onGap: () => {
        gaps += 1;
      },
    });
    const before = gaps;

    await cluster.cutListeners();
    await expect.poll(() => gaps).toBeGreaterThan(before);
    const hints = Array.from({ length: 20 }, () => {
      const thread = newThread();
      return { thread, run: newRun(store, thread), version: 1 };
    });
    for (const hint of hints) await store.append(appendOf(hint.run, 0, { effects: [{ type: 'hint', hint }] }));

    await expect.poll(() => heard.length).toBe(20);
    expect(heard).toEqual(expect.arrayContaining(hints));
    await Promise.all([store.close(), other.close()]);
  });
});

describe('a subscription to channels of a Redis Cluster', () => {
  it('reports that it is alive when a word comes back on every channel, and otherwise does not (FR6)', async () => {
    const client = connectForHints(readRedisUrl(cluster.url), silentLog);
    const heard = ['{a}', '{b}', '{c}'];
    for (const channel of heard) await client.ssubscribe(channel);
    const listeners = client.listenerCount('smessage');

    for (const channels of [heard, heard.slice(1)]) await beat(client, channels, true);
    expect(client.listenerCount('smessage')).toBe(listeners);

    const alive = beat(client, [...heard, '{d}'], true).then(() => 'alive', String);
    const later = beat(client, heard, true).then(() => beat(client, heard, true));
    expect(await Promise.race([alive, later])).toBeUndefined();
    client.disconnect();
  });
});

describe('a node of a Redis Cluster', () => {
  it('that the client does not know is an outage', () => {
    const client = connectForHints(readRedisUrl(cluster.url), silentLog);
    if (!(client instanceof Cluster)) throw new Error('It is a connection to a Cluster.');

    expect(() => primaryOf(client, 0)).toThrow('A node of the Redis Cluster is not known at the moment.');
    client.disconnect();
  });

  it('that has the shard is asked whether a durable entry has reached its replica (D13)', async () => {
    await addReplica();
    const store = await open();
    const settle = createSettle(() => connectForCommands(readRedisUrl(cluster.url), silentLog, () => false), 'replica');
    const admin = cluster.servers[0]?.client();
    // Another node refuses the key of a slot that it does not have.
    const isOn = (run: RunId) =>
      admin?.exists(journalKey(run)).then(
        () => true,
        () => false,
      );
    let run = newRun(store, newThread());
    // Only the first node has a replica.
    while (!(await isOn(run))) run = newRun(store, newThread());

    const request = appendOf(run, 0, { durable: true });
    // As the store does where no person waits: the replica may still be copying what its node has, which holds up the node.
    const kept = settle.keep(request, () => store.patient.append(request), Number.POSITIVE_INFINITY);
    expect(await kept).toMatchObject({ version: 1 });
    settle.close();
    await store.close();
  });
});

describe('the check of the nodes of a Redis Cluster', () => {
  /** Whichever node answers first: each start connects anew. */
  const STARTS = 6;
  const start = async () => {
    const lines: string[] = [];
    const log = createLog('warn', (line) => lines.push(line));
    const store = await openStore({ redisUrl: cluster.url, dataDir: '', clock: systemClock, log });
    const { warnings } = await store.health();
    await store.close();
    return { lines, warnings };
  };

  it('finds and names a node that may throw facts away, at every start (FR14)', async () => {
    const [, , odd] = cluster.servers;
    await odd?.client().config('SET', 'maxmemory-policy', 'allkeys-lru');
    for (let tried = 0; tried < STARTS; tried += 1)
      await expect(start()).rejects.toThrow(`maxmemory-policy on 127.0.0.1:${odd?.port} is allkeys-lru`);
    await odd?.client().config('SET', 'maxmemory-policy', 'noeviction');
    expect((await start()).warnings).toEqual([]);
  });

  it('finds and names a node without an append-only file, at every start (FR14)', async () => {
    const [, odd] = cluster.servers;
    await odd?.client().config('SET', 'appendonly', 'no');
    for (let tried = 0; tried < STARTS; tried += 1) {
      const { lines, warnings } = await start();
      expect(warnings).toEqual([
        `Redis keeps no append-only file on 127.0.0.1:${odd?.port}: when it dies, decisions and started calls are lost. ` +
          'Set appendonly to yes.',
      ]);
      expect(lines.join()).toContain(`${odd?.port}`);
    }
    await odd?.client().config('SET', 'appendonly', 'yes');
  });

  it("refuses a node without a replica where durability is 'replica', at every start", async () => {
    const [, ...others] = cluster.servers;
    await addReplica();
    for (let tried = 0; tried < STARTS; tried += 1) {
      const opening = createRedisStore({ place: readRedisUrl(cluster.url), log: silentLog, durability: 'replica' });
      const refused = await opening.then(
        () => 'opened',
        (error: Error) => error.message,
      );
      expect(
        others.map(({ port }) => `is connected on 127.0.0.1:${port}`).some((where) => refused.includes(where)),
      ).toBe(true);
    }
  });
});
