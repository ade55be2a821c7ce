import { openStage, type Stage, type StageOptions } from './bot.ts';
import { emptyRedis } from './redis.ts';

/** The same story on both engines. */
export const ENGINES = ['sqlite', 'redis'] as const;
export type Engine = (typeof ENGINES)[number];

export async function stageOn(engine: Engine, options: StageOptions = {}): Promise<Stage> {
  return openStage(engine === 'sqlite' ? options : { ...options, redisUrl: await emptyRedis() });
}
