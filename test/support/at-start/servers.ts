import { startRedisServer } from '../redis.ts';
import { freePort } from '../servers.ts';
import { startOfUnknownAuthority } from '../unknown-authority.ts';
import type { Servers } from './trouble.ts';

/** Starts what the troubles need: a Redis as it should be, and those that a bot refuses or warns of. */
export async function startServersOfTroubles(): Promise<Servers & { readonly stop: () => Promise<void> }> {
  const [redis, evicting, forgetful, unknown] = await Promise.all([
    startRedisServer(),
    startRedisServer('--maxmemory-policy', 'allkeys-lru'),
    startRedisServer('--appendonly', 'no'),
    startOfUnknownAuthority(),
  ]);
  return {
    ...{ redisUrl: redis.url, evictingUrl: evicting.url, forgetfulUrl: forgetful.url, unknownUrl: unknown.redisUrl },
    noPort: await freePort(),
    port: await freePort(),
    stop: async () => {
      unknown.stop();
      for (const server of [redis, evicting, forgetful]) await server.remove();
    },
  };
}
