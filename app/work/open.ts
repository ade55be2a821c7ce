import { connectForQueue, readRedisUrl } from '../store/redis/index.ts';
import { createInProcessWork } from './in-process.ts';
import type { Work, WorkDeps } from './work.ts';

export interface OpenWorkDeps extends WorkDeps {
  /** Absent: no other process can work on this store. */
  readonly redisUrl: string | undefined;
}

/** The engine that fits the store. The queue is loaded only where there is one. */
export async function openWork({ redisUrl, ...deps }: OpenWorkDeps): Promise<Work> {
  if (redisUrl === undefined) return createInProcessWork(deps);
  const place = readRedisUrl(redisUrl);
  const { createQueueWork } = await import('./redis.ts');
  return createQueueWork({ ...deps, connect: () => connectForQueue(place, deps.log) });
}
