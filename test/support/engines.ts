import { amountOf, sharedOf } from './amount.ts';
import { openStage, type Stage, type StageOptions } from './bot.ts';
import { emptyRedis } from './redis.ts';

export type Engine = 'sqlite' | 'redis';

const BOTH: readonly Engine[] = ['sqlite', 'redis'];

/** The same story on both engines; a part of `npm test` tells it on the one that many processes share. */
export const ENGINES = amountOf<readonly Engine[]>({ test: ['redis'], prove: BOTH, soak: BOTH });

/** For files of which `npm test` tells each story on Redis: `npm run prove` has the other engine left. */
export const ENGINES_BY_TURNS = sharedOf<readonly Engine[]>({ test: ['redis'], prove: ['sqlite'], whole: BOTH });

export async function stageOn(engine: Engine, options: StageOptions = {}): Promise<Stage> {
  return openStage(engine === 'sqlite' ? options : { ...options, redisUrl: await emptyRedis() });
}
