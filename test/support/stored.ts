import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Stage } from './bot.ts';

/** Every byte that the bots of this stage have in their store, as text. */
export async function storedOn({ redisUrl, dataDir }: Pick<Stage, 'redisUrl' | 'dataDir'>): Promise<string> {
  if (redisUrl === undefined) {
    return readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
      .join('\n');
  }
  const client = new Redis(redisUrl);
  const keys = await client.keys('*');
  const values = await Promise.all(keys.map((key) => client.dumpBuffer(key).then((dump) => dump.toString('latin1'))));
  // A dump may be compressed, so lists are read as well.
  const lists = await Promise.all(keys.map((key) => client.lrange(key, 0, -1).catch(() => [])));
  client.disconnect();
  return JSON.stringify([keys, values, lists]);
}
