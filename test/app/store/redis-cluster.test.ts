import { afterAll, beforeAll } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { type RedisCluster, startRedisCluster } from '../../support/redis-cluster.ts';
import { describeStore } from './contract.ts';
import { describeHomeClaims } from './home-claims.ts';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster.remove());

const open = () => createRedisStore({ place: readRedisUrl(cluster.url), log: silentLog });

const engine = async () => {
  await cluster.empty();
  const [store, other] = await Promise.all([open(), open()]);
  return {
    // What is asked here is what the store answers, and not how soon.
    store: store.patient,
    other: other.patient,
    close: async () => {
      await Promise.all([store.close(), other.close()]);
    },
  };
};

describeStore('a store in a Redis Cluster', engine);
describeHomeClaims('a store in a Redis Cluster', engine);
