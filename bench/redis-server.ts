import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../sandbox/demo/ports.ts';
import { atEnd } from './at-end.ts';
import { diskFolder } from './folders.ts';

export interface RedisServer {
  /** The address of a database of its own for each caller. */
  readonly freshUrl: () => string;
  readonly version: string;
  readonly stop: () => Promise<void>;
}

export const NO_REDIS = 'Redis: neither redis-server nor valkey-server is on the path. Install one to measure it.';

/** A Redis of the bench's own, which writes to its disk each second. `undefined` where none is installed. */
export async function startRedisServer(): Promise<RedisServer | undefined> {
  const binary = programOnPath('redis-server', 'valkey-server');
  if (binary === undefined) return undefined;
  const folder = diskFolder();
  const port = await freePort();
  const lasting = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const server = spawn(binary, ['--port', `${port}`, '--dir', folder, ...lasting], { stdio: 'ignore' });
  const kill = () => void server.kill('SIGKILL');
  atEnd(kill);
  const address = `redis://127.0.0.1:${port}`;
  const probe = new Redis(address, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  // It does not listen yet when the first tries come.
  probe.on('error', () => {});
  const info = await probe.info('server');
  probe.disconnect();
  let databases = 0;
  return {
    freshUrl: () => {
      databases += 1;
      return `${address}/${databases}`;
    },
    version: /(?:redis|valkey)_version:(\S+)/.exec(info)?.[1] ?? 'of an unknown version',
    stop: async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      kill();
      await gone;
    },
  };
}

function programOnPath(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
