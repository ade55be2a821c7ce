import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog } from '../../app/log.ts';
import { allShards, dueKey, todoKey } from '../../app/store/keys.ts';
import { readRedisUrl } from '../../app/store/redis/address.ts';
import { connectForQueue } from '../../app/store/redis/connection/clients.ts';
import type { Stage } from './bot.ts';

/** What brings a process to a thread, at any time. A store tells only by giving it away, so this reads its data directly. */
export interface Scheduled {
  /** Threads that a process must advance. */
  readonly todo: ReadonlySet<string>;
  /** What has a time, each as one word: `expiry:<approval>`. */
  readonly due: ReadonlySet<string>;
}

type Place = Pick<Stage, 'dataDir' | 'redisUrl'>;
type List = keyof Scheduled;

export async function scheduledIn(place: Place, shards: number): Promise<Scheduled> {
  if (place.redisUrl === undefined) return inFile(place.dataDir, readFile);
  return onRedis(place.redisUrl, async (client) => {
    const read = async (keyOf: (shard: string) => string) =>
      new Set((await Promise.all(allShards(shards).map((shard) => client.zrange(keyOf(shard), '0', '-1')))).flat());
    return { todo: await read(todoKey), due: await read(dueKey) };
  });
}

/** As no bot of ours ever does it. */
export async function forget(place: Place, list: List): Promise<void> {
  if (place.redisUrl === undefined) return inFile(place.dataDir, (file) => file.exec(`DELETE FROM ${list}`));
  const keyOf = { todo: todoKey, due: dueKey }[list];
  await onRedis(place.redisUrl, (client) => client.del(keyOf('00')));
}

function inFile<Result>(dataDir: string, work: (file: DatabaseSync) => Result): Result {
  const path = join(dataDir, 'countersign.sqlite');
  if (!existsSync(path)) throw new Error(`There is no store in ${dataDir} yet.`);
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function readFile(file: DatabaseSync): Scheduled {
  const read = (sql: string) =>
    new Set(
      file
        .prepare(sql)
        .all()
        .map((row) => String(Object.values(row)[0])),
    );
  return { todo: read('SELECT thread FROM todo'), due: read('SELECT word FROM due') };
}

async function onRedis<Result>(
  url: string,
  work: (client: ReturnType<typeof connectForQueue>) => Promise<Result>,
): Promise<Result> {
  const client = connectForQueue(readRedisUrl(url), silentLog);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}
