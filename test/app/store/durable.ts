import type { Redis } from 'ioredis';
import { afterEach } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import type { RunId } from '../../../app/records/index.ts';
import { journalKey } from '../../../app/store/keys.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore, type RedisStore } from '../../../app/store/redis/store.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';

/** Servers and stores of one test, which go with it. */
const servers: RedisServer[] = [];
const stores: RedisStore[] = [];
export function closeAfterEach(): void {
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(servers.splice(0).map((server) => server.remove()));
  });
}

export async function serve(...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(...settings);
  servers.push(server);
  return server;
}

export async function open(
  { url }: Pick<RedisServer, 'url'>,
  durability: 'process' | 'replica' | 'disk',
): Promise<RedisStore> {
  const store = await createRedisStore({ place: readRedisUrl(url), log: silentLog, durability });
  stores.push(store);
  return store;
}

/** The ids of all entries of a run, as this server has them. */
export async function idsIn(client: Redis, run: RunId): Promise<readonly (string | undefined)[]> {
  return (await client.lrange(journalKey(run), 0, -1)).map((line) => line.split(' ')[0]);
}
