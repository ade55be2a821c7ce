import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
  return (await valuesOn(redisUrl)).join('\n');
}

/** An encrypted text, with the id or the key of its entry or message before it, or the record of the keys. */
const SEALED = /^(\S+ |"[^"\n]*"\n|)(sealed:)?1(\.[\w-]+){3}( 1(\.[\w-]+){3})*$/;
/** Ids, times, numbers, and names of teams, channels, people and tools; the queue has them in JSON. */
const NAME = /^[\w.:/{}",-]*$/;

/** What a store with a key holds besides encrypted texts and names. */
export async function clearIn(stage: Pick<Stage, 'redisUrl' | 'dataDir'>): Promise<readonly string[]> {
  const { redisUrl, dataDir } = stage;
  const values = redisUrl === undefined ? valuesIn(join(dataDir, 'countersign.sqlite')) : await valuesOn(redisUrl);
  return values.filter((value) => !SEALED.test(value) && !NAME.test(value));
}

function valuesIn(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM ${name}`).all());
  database.close();
  return rows.flatMap((row) => Object.values(row).map(String));
}

async function valuesOn(redisUrl: string): Promise<readonly string[]> {
  const client = new Redis(redisUrl);
  const all: string[] = [];
  for (const key of await client.keys('*')) {
    const read: Record<string, () => Promise<readonly string[]>> = {
      string: async () => [(await client.get(key)) ?? ''],
      list: () => client.lrange(key, 0, -1),
      set: () => client.smembers(key),
      zset: () => client.zrange(key, 0, '-1'),
      hash: async () => Object.entries(await client.hgetall(key)).flat(),
      stream: async () => (await client.xrange(key, '-', '+')).flat(2),
    };
    // A key of the queue may be gone by now.
    all.push(key, ...((await read[await client.type(key)]?.()) ?? []));
  }
  client.disconnect();
  return all;
}
