import { describe, expect, it } from 'vitest';
import { journalKey } from '../../../app/store/keys.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { appendOf, newRun, newThread } from '../../support/store.ts';
import { closeAfterEach, idsIn, open } from './durable.ts';

closeAfterEach();

describe('a Redis Cluster that keeps durable entries on a replica', () => {
  it('gets the lost entries again on the node that has taken over (FR11, D13)', async () => {
    const cluster = await startRedisCluster(1);
    const [primary] = cluster.servers;
    if (primary === undefined) throw new Error('The cluster has no node.');
    const replica = await cluster.addReplica(primary);
    const store = await open({ url: `${cluster.url},127.0.0.1:${replica.port}` }, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', durable: true }));
    await replica.kill();

    const begun = store.patient.append(appendOf(run, 1, { id: 'call-started', durable: true }));
    await expect.poll(() => primary.client().llen(journalKey(run))).toBe(2);
    await primary.kill();
    await replica.start();
    const heir = replica.client();
    await heir.call('cluster', 'failover', 'takeover');
    await expect.poll(() => heir.info('replication')).toContain('role:master');
    expect(await heir.llen(journalKey(run))).toBe(1);
    // The dead node comes back, and follows the one that took over.
    await primary.start();

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsIn(heir, run)).toEqual(['asked', 'call-started']);
    await store.close();
    await cluster.remove();
  });
});

describe('a Redis behind sentinels that keeps durable entries on a replica', () => {
  it('gets the lost entries again on the replica that was promoted (FR11, D13)', async () => {
    const sentinels = await startSentinels();
    const { primary, replica } = sentinels;
    const store = await open(sentinels, 'replica');
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0, { id: 'asked', durable: true }));
    await replica.kill();

    const begun = store.patient.append(appendOf(run, 1, { id: 'call-started', durable: true }));
    await expect.poll(() => primary.client().llen(journalKey(run))).toBe(2);
    await primary.kill();
    await replica.start();
    const heir = replica.client();
    await expect.poll(() => heir.info('replication')).toContain('role:master');
    // The dead node comes back, and follows the one that took over. Sentinels see to it as well, a quarter of a minute later.
    await primary.start();
    await primary.client().replicaof('127.0.0.1', replica.port);

    expect(['ok', 'already']).toContain((await begun).type);
    expect(await idsIn(heir, run)).toEqual(['asked', 'call-started']);
    await store.close();
    await sentinels.remove();
  });
});
