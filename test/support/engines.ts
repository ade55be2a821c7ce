import { amountOf } from './amount.ts';
import { openStage, type Stage, type StageOptions } from './bot.ts';
import { emptyRedis } from './redis.ts';

export type Engine = 'sqlite' | 'redis';

const BOTH: readonly Engine[] = ['sqlite', 'redis'];

/** The same story on both engines; `npm test` tells it on the one that many processes share. */
export const ENGINES = amountOf<readonly Engine[]>({ test: ['redis'], prove: BOTH, soak: BOTH });

export async function stageOn(engine: Engine, options: StageOptions = {}): Promise<Stage> {
  return openStage(engine === 'sqlite' ? options : { ...options, redisUrl: await emptyRedis() });
}
