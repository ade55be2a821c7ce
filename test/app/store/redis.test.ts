import { describe } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { emptyRedis } from '../../support/redis.ts';
import { describeStore } from './contract.ts';
import { describeHomeClaims } from './home-claims.ts';

describe.each([1, 64])('with %i shards,', (shards) => {
  const engine = async () => {
    const place = readRedisUrl(await emptyRedis());
    const [store, other] = await Promise.all([
      createRedisStore({ place, shards, log: silentLog }),
      createRedisStore({ place, shards, log: silentLog }),
    ]);
    return {
      // What is asked here is what the store answers, and not how soon.
      store: store.patient,
      other: other.patient,
      close: async () => {
        await Promise.all([store.close(), other.close()]);
      },
    };
  };

  describeStore('a Redis store', engine);
  describeHomeClaims('a Redis store', engine);
});
