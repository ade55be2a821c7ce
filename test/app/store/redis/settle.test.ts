import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../app/log.ts';
import { newId } from '../../../../app/store/ids.ts';
import { journalKey } from '../../../../app/store/keys.ts';
import { readRedisUrl } from '../../../../app/store/redis/address.ts';
import { type Client, connectForCommands } from '../../../../app/store/redis/connection/clients.ts';
import { createSettle } from '../../../../app/store/redis/settle.ts';
import type { AppendAnswer } from '../../../../app/store/store.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { startProxy } from '../../../support/proxy.ts';
import type { RedisServer } from '../../../support/redis.ts';
import { appendOf, newRun, newThread } from '../../../support/store.ts';
import { closeAfterEach, idsIn, open, serve } from '../durable.ts';

closeAfterEach();

const linked = async (replica: RedisServer): Promise<void> => {
  const look = replica.client();
  await expect.poll(() => look.info('replication')).toMatch(/master_link_status:up/);
};

describe('a Redis that keeps durable entries on a replica', () => {
  it('is refused at start without one', async () => {
    await expect(open(await serve(), 'replica')).rejects.toThrow(
      "durability is 'replica', and no replica of this Redis is connected",
    );
  });

  it('answers a durable append when the replica has it, and says so when it has not (D13)', async () => {
    const primary = await serve();
    const replica = await serve('--replicaof', `127.0.0.1 ${primary.port}`);
    await linked(replica);
    const admin = replica.client();
    const store = await open(primary, 'replica');
    const run = newRun(store, newThread());

    expect(await store.append(appendOf(run, 0, { durable: true }))).toMatchObject({ type: 'ok' });
    await admin.replicaof('NO', 'ONE');
    // No process acts on these, so none waits for them.
    expect(await store.append(appendOf(run, 1))).toMatchObject({ type: 'ok' });
    const request = appendOf(run, 2, { durable: true });
    await expect(store.append(request)).rejects.toThrow('has reached a replica');

    const patient = store.patient.append(request);
    await admin.replicaof('127.0.0.1', primary.port);
    expect(await patient).toEqual({ type: 'already', version: 3 });
    expect(await admin.llen(journalKey(run))).toBe(3);
  });

  it('is not healthy while no replica is connected, and is again when one is (D13)', async () => {
    const primary = await serve();
    const replica = await serve('--replicaof', `127.0.0.1 ${primary.port}`);
    await linked(replica);
    const store = await open(primary, 'replica');
    const isConnected = expect.poll(() => primary.client().info('replication'));

    await replica.client().replicaof('NO', 'ONE');
    await isConnected.toContain('connected_slaves:0');
    await expect(store.health()).rejects.toThrow('no replica of this Redis is connected');

    await replica.client().replicaof('127.0.0.1', primary.port);
    await expect.poll(() => store.health().catch(String)).toHaveProperty('warnings');
  });

  /** The primary has an append that the replica has not, dies, and a server takes its place that never had it. */
  const lostBeforeItWasSafe = async () => {
    const primary = await serve();
    const replica = await serve('--replicaof', `127.0.0.1 ${primary.port}`);
    await linked(replica);
    const store = await open(primary, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', durable: true }));
    const admin = replica.client();
    await admin.replicaof('NO', 'ONE');
    primary.keep();

    const begun = store.patient.append(appendOf(run, 1, { id: 'call-started', durable: true }));
    const look = primary.client();
    await expect.poll(() => look.llen(journalKey(run))).toBe(2);
    await primary.kill();
    await primary.setBack();
    await primary.start();
    const idsOf = (server: RedisServer) => idsIn(server.client(), run);
    const follow = () => admin.replicaof('127.0.0.1', primary.port);
    return { primary, replica, run, begun, idsOf, follow };
  };

  it('gets entries again that a fail-over lost before they were safe (D13)', async () => {
    const { primary, replica, begun, idsOf, follow } = await lostBeforeItWasSafe();

    await follow();

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsOf(primary)).toEqual(['asked', 'call-started']);
    expect(await idsOf(replica)).toEqual(['asked', 'call-started']);
  });

  it('replies with a conflict when another process was faster after the fail-over (D13)', async () => {
    const { primary, run, begun, idsOf, follow } = await lostBeforeItWasSafe();
    const other = await open(primary, 'process');

    // Either may win; what is answered is what stands.
    const stopped = other.patient.append(appendOf(run, 1, { id: 'stopped' }));
    await follow();

    const answers = { 'call-started': (await begun).type, stopped: (await stopped).type };
    const [, winner = ''] = await idsOf(primary);
    expect(Object.entries(answers).filter(([, type]) => type !== 'conflict')).toEqual([[winner, expect.any(String)]]);
  });

  it('answers many durable appends at once (D13)', async () => {
    const primary = await serve();
    await linked(await serve('--replicaof', `127.0.0.1 ${primary.port}`));
    const store = await open(primary, 'replica');
    const runs = Array.from({ length: 200 }, () => newRun(store, newThread()));

    const answers = await Promise.all(runs.map((run) => store.append(appendOf(run, 0, { durable: true }))));

    expect(answers.every(({ type }) => type === 'ok')).toBe(true);
    // One question serves all that came before it.
    const [, questions] = /cmdstat_wait:calls=(\d+)/.exec(await primary.client().info('commandstats')) ?? [];
    expect(Number(questions)).toBeLessThan(20);

    // One replica is enough: no question asks for another one.
    const monitor = await primary.client().monitor();
    const asked: string[][] = [];
    monitor.on('monitor', (_at: string, command: string[]) => asked.push(command));
    await store.append(appendOf(runs[0] ?? newRun(store, newThread()), 1, { durable: true }));
    const replicas = () => asked.flatMap(([name, count]) => (name?.toLowerCase() === 'wait' ? [count] : []));
    await expect.poll(() => replicas().length).toBeGreaterThan(0);
    expect(new Set(replicas())).toEqual(new Set(['1']));
    monitor.disconnect();
  });
});

describe('the questions whether an entry is safe', () => {
  const settleAt = (port: number) => {
    const clients: Client[] = [];
    const connect = () => {
      const client = connectForCommands(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog, () => false);
      clients.push(client);
      return client;
    };
    return { settle: createSettle(connect, 'replica'), clients };
  };
  const request = appendOf(newId('r', 0), 0);
  const send = async (): Promise<AppendAnswer> => ({ type: 'ok', version: 1, receivers: 0 });

  it('are over when the store is closed, and no connection is made for them then', async () => {
    const { settle, clients } = settleAt(1);
    settle.close();

    await expect(settle.keep(request, send, Number.POSITIVE_INFINITY)).rejects.toThrow('has reached a replica');
    expect(clients).toEqual([]);
  });

  it('leave no connection open when the store is closed while none is asked', async () => {
    const { settle, clients } = settleAt((await serve()).port);
    const statuses = () => clients.map(({ status }) => status);
    await expect(settle.keep(request, send, 0)).rejects.toThrow('has reached a replica');
    await expect.poll(statuses).toEqual(['ready']);

    settle.close();

    await expect.poll(statuses).toEqual(['end']);
  });

  it('are asked over one connection, which is replaced when it is silent, and ends with the store', async () => {
    const wire = await startProxy((await serve()).port);
    const { settle, clients } = settleAt(wire.port);
    const statuses = () => clients.map(({ status }) => status);
    await expect(settle.keep(request, send, 0)).rejects.toThrow('has reached a replica');
    await expect.poll(statuses).toEqual(['ready']);
    wire.goSilent();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const kept = settle.keep(request, send, Number.POSITIVE_INFINITY).catch(String);
    const passing = setInterval(() => vi.advanceTimersByTime(50), 5);
    try {
      await vi.waitFor(() => expect(statuses()).toEqual(['end', 'ready']), { timeout: PATIENCE_MS, interval: 20 });

      settle.close();
      expect(await kept).toContain('has reached a replica');
      await vi.waitFor(() => expect(statuses()).toEqual(['end', 'end']), { timeout: PATIENCE_MS, interval: 20 });
    } finally {
      clearInterval(passing);
      vi.useRealTimers();
      await wire.close();
    }
  });
});

describe('a Redis that keeps durable entries on its disk', () => {
  it('is refused below 7.2, and otherwise replies when the entry is on disk, and says so when it is not (D13)', async () => {
    const server = await serve('--appendfsync', 'everysec');
    const version = /redis_version:(\d+)\.(\d+)/.exec(await server.client().info('server')) ?? [];
    const able = Number(version[1]) * 100 + Number(version[2]) >= 702;

    const opened = open(server, 'disk');

    if (!able) return expect(opened).rejects.toThrow("durability is 'disk', which needs Redis 7.2");
    const store = await opened;
    const run = newRun(store, newThread());
    expect(await store.append(appendOf(run, 0, { durable: true }))).toMatchObject({ type: 'ok' });
    await server.client().config('SET', 'appendonly', 'no');
    // No process acts on these, so none waits for them.
    expect(await store.append(appendOf(run, 1))).toMatchObject({ type: 'ok' });
    await expect(store.append(appendOf(run, 2, { durable: true }))).rejects.toThrow('disk');
  });
});
