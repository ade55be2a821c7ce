import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { freePort } from './servers.ts';

/**
 * An empty database of the shared Redis, one for each test worker, so that files which run side by side never meet.
 * Database 0 is left alone.
 */
export async function emptyRedis(): Promise<string> {
  const own = new URL(inject('redisUrl'));
  own.pathname = `/${(Number(process.env.VITEST_POOL_ID ?? 1) % 15) + 1}`;
  const client = new Redis(own.href);
  await client.flushdb();
  client.disconnect();
  return own.href;
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** The address of a database in which nothing has ever been. */
  readonly freshDatabase: () => string;
  /** Dies at once, with whatever it has not written. */
  readonly kill: () => Promise<void>;
  /** On the same port and the same files. Resolves when it answers. */
  readonly start: () => Promise<void>;
  /** Remembers what is on its disk now. */
  readonly keep: () => void;
  /** What was kept is on its disk again. For a server that is dead. */
  readonly setBack: () => Promise<void>;
  /** A client to look with or to disturb with. */
  readonly client: () => Redis;
  readonly remove: () => Promise<void>;
}

const DATABASES = 2_000;

/** A Redis of a test's own, to kill, to stop and to set up wrongly. `settings` are those of its command line. */
export async function startRedisServer(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-own-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const clients: Redis[] = [];
  const client = () => {
    const made = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    made.on('error', () => {});
    clients.push(made);
    return made;
  };
  let databases = 0;
  let stop = async () => {};

  const start = async () => {
    const place = ['--port', `${port}`, '--dir', folder, '--databases', `${DATABASES}`];
    // With `everysec` a server whose disk is busy acknowledges what it has not written yet, and loses it when it is killed.
    const usual = [...place, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
    const server = spawn(redisBinary(), [...usual, ...settings], { stdio: 'ignore' });
    const gone = new Promise((resolve) => server.once('exit', resolve));
    stop = async () => {
      server.kill('SIGKILL');
      await gone;
    };
    const probe = client();
    await probe.ping();
    probe.disconnect();
  };
  await start();
  return {
    url,
    port,
    freshDatabase: () => {
      databases += 1;
      if (databases >= DATABASES) throw new Error(`One test server has ${DATABASES} databases, and they are used up.`);
      return `${url}/${databases}`;
    },
    kill: () => stop(),
    start,
    client,
    keep: () => cpSync(folder, `${folder}.kept`, { recursive: true }),
    setBack: async () => {
      rmSync(folder, { recursive: true });
      cpSync(`${folder}.kept`, folder, { recursive: true });
    },
    remove: async () => {
      for (const made of clients) made.disconnect();
      await stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}.kept`, { recursive: true, force: true });
    },
  };
}

export function redisBinary(): string {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const found = ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error('This test kills a Redis of its own and finds none. Install redis-server or valkey-server.');
}
