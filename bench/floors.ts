import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { elapsedMicros } from './measure.ts';

/** What no bot can be faster than: a commit, and a message through Redis. */
export interface Floor {
  /** Once, in microseconds. */
  readonly once: () => Promise<number>;
  readonly close: () => void;
}

/** A commit of one row of so many bytes, with the settings of the store, in a file beside that of the store. */
export function bareCommit(folder: string, bytes: number): Floor {
  const database = new DatabaseSync(join(folder, 'bare.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('CREATE TABLE rows (position INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');
  const text = 'x'.repeat(bytes);
  return {
    once: () =>
      elapsedMicros(async () => {
        database.exec('BEGIN IMMEDIATE');
        insert.run(text);
        database.exec('COMMIT');
      }),
    close: () => database.close(),
  };
}

/** From a publish on one connection to its message on another. */
export async function barePublish(redisUrl: string): Promise<Floor> {
  const [publisher, subscriber] = [new Redis(redisUrl), new Redis(redisUrl)];
  let heard = () => {};
  await subscriber.subscribe('bench');
  subscriber.on('message', () => heard());
  return {
    once: () =>
      elapsedMicros(async () => {
        const message = new Promise<void>((resolve) => {
          heard = resolve;
        });
        await publisher.publish('bench', 'x');
        await message;
      }),
    close: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
