import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RedisServer, redisBinary, startRedisServer } from './redis.ts';
import { freePort } from './servers.ts';

export interface Sentinels {
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Resolves when the replica has all that the primary has. */
  readonly caughtUp: () => Promise<void>;
  /** Kills the primary. Resolves when the replica has been made the new one. */
  readonly failOver: () => Promise<void>;
  /** Another server follows the new primary, which had nobody to follow it. */
  readonly replaceReplica: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A primary, its replica, and a sentinel that needs nobody's agreement. */
export async function startSentinels(): Promise<Sentinels> {
  const primary = await startRedisServer();
  const replica = await startRedisServer('--replicaof', `127.0.0.1 ${primary.port}`);
  const follower = replica.client();
  const servers = [primary, replica];
  while (!isFollowing(await follower.info('replication'))) await pause();

  const folder = mkdtempSync(join(tmpdir(), 'countersign-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      `dir ${folder}`,
      `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 5000',
    ].join('\n'),
  );
  const server = spawn(redisBinary(), [file, '--sentinel'], { stdio: 'ignore' });
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const sentinel = new Redis(port, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  sentinel.on('error', () => {});
  // It can only promote a replica that it has found.
  const replicas = async () => sentinel.call('sentinel', 'replicas', 'main').catch(() => []);
  for (let found = await replicas(); !Array.isArray(found) || found.length === 0; found = await replicas())
    await pause();

  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    primary,
    replica,
    caughtUp: async () => {
      const leader = primary.client();
      const offset = async (client: Redis) => /master_repl_offset:(\d+)/.exec(await client.info('replication'))?.[1];
      while ((await offset(leader)) !== (await offset(follower))) await pause();
      leader.disconnect();
    },
    failOver: async () => {
      await primary.kill();
      while (!/role:master/.test(await follower.info('replication'))) await pause();
    },
    replaceReplica: async () => {
      const next = await startRedisServer('--replicaof', `127.0.0.1 ${replica.port}`);
      servers.push(next);
      while (!isFollowing(await next.client().info('replication'))) await pause();
    },
    remove: async () => {
      sentinel.disconnect();
      server.kill('SIGKILL');
      await gone;
      await Promise.all(servers.map((one) => one.remove()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isFollowing = (info: string): boolean => info.includes('master_link_status:up');

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
