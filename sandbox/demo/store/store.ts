import { join } from 'node:path';
import type { DemoFolder } from '../folder.ts';
import { findRedis, startRedis } from './redis.ts';
import { slowLinkTo } from './slow-link.ts';

/** Where the bot of the demo keeps its journals. */
export interface DemoStore {
  readonly variables: NodeJS.ProcessEnv;
  /** The variables of a command that reads the same store, also while it is slow for the bot. */
  readonly beside: { readonly [name: string]: string };
  /** Makes each answer of the store take that long. A file has no such link. */
  readonly delay?: (ms: number) => void;
  /** Why there is no Redis. */
  readonly withoutRedis?: string;
  readonly stop: () => Promise<void>;
}

/** A folder stays with the kind of store that it began with. A new one gets a Redis where one is installed. */
export async function openDemoStore(folder: DemoFolder): Promise<DemoStore | string> {
  const program = folder.store === 'sqlite' ? undefined : await findRedis();
  if (program === undefined && folder.store === 'redis')
    return `${folder.path} was made with a Redis, and none is installed now. Install redis-server, or add --fresh.`;
  folder.keepStore(program === undefined ? 'sqlite' : 'redis');
  if (program === undefined) {
    return {
      variables: {},
      beside: { DATA_DIR: folder.path },
      withoutRedis: 'This needs a Redis. Install redis-server, then: npm run demo -- --fresh',
      stop: async () => {},
    };
  }
  const redis = await startRedis(program, join(folder.path, 'redis'));
  const link = await slowLinkTo(redis.port);
  return {
    variables: { REDIS_URL: `redis://127.0.0.1:${link.port}` },
    beside: { REDIS_URL: `redis://127.0.0.1:${redis.port}` },
    delay: link.delay,
    stop: async () => {
      link.close();
      await redis.stop();
    },
  };
}
