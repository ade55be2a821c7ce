import { cpSync } from 'node:fs';
import { bareCommit, barePublish, type Floor } from '../floors.ts';
import { diskFolder, memoryFolder } from '../folders.ts';
import type { RedisServer } from '../redis-server.ts';
import { type DurableBot, type StorePlace, startDurableBot } from './bot.ts';
import { writeThreads } from './threads.ts';

/** A store with threads in it, the bot on it, and the floor beside it. */
export interface Place {
  readonly name: 'SQLite on tmpfs' | 'SQLite on disk' | 'Redis';
  readonly bot: DurableBot;
  readonly floor: Floor;
  readonly close: () => Promise<void>;
}

export interface PlacesOptions {
  readonly redis: RedisServer | undefined;
  /** Threads of 10 messages in each store. */
  readonly shorts: number;
  /** The bytes that an append of this bot writes. */
  readonly bytesOf: (bot: DurableBot) => Promise<number>;
}

/** Opens a place for every engine of this machine. The history is written in memory, and copied to the disk. */
export async function openPlaces(options: PlacesOptions): Promise<readonly Place[]> {
  const { shorts, redis, bytesOf } = options;
  const onDisk = diskFolder();
  const inMemory = memoryFolder();
  const written = await startDurableBot({ dataDir: inMemory ?? onDisk });
  await writeThreads(written, shorts);
  const bytes = await bytesOf(written);
  await written.close();
  const places: Place[] = [];
  if (inMemory !== undefined) {
    cpSync(inMemory, onDisk, { recursive: true });
    places.push(await openPlace('SQLite on tmpfs', { dataDir: inMemory }, bareCommit(inMemory, bytes)));
  }
  places.push(await openPlace('SQLite on disk', { dataDir: onDisk }, bareCommit(onDisk, bytes)));
  if (redis === undefined) return places;
  const redisUrl = redis.freshUrl();
  const place = await openPlace('Redis', { dataDir: onDisk, redisUrl }, await barePublish(redisUrl));
  await writeThreads(place.bot, shorts);
  return [...places, place];
}

async function openPlace(name: Place['name'], place: StorePlace, floor: Floor): Promise<Place> {
  const bot = await startDurableBot(place);
  return {
    ...{ name, bot, floor },
    close: async () => {
      await bot.close();
      floor.close();
    },
  };
}
