import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { mention, openStage, reply } from '../support/bot.ts';
import { ENGINES } from '../support/engines.ts';
import { historyOf, linesOf } from '../support/history.ts';
import { RETIRING } from '../support/kill-rows/retiring.ts';
import { patchedSources, SOON_REMOVED } from '../support/patched.ts';
import { startRedisServer } from '../support/redis.ts';

describe.concurrent.each(ENGINES)('a bot that dies while it removes a run (%s)', { timeout: 120_000 }, (engine) => {
  it.each(RETIRING)('FK22 after %s: the run is whole until it goes, and it goes once', async (at) => {
    const redis = engine === 'redis' ? await startRedisServer() : undefined;
    const sources = patchedSources([SOON_REMOVED]);
    const stage = await openStage({ sources: sources.folder, ...(redis === undefined ? {} : { redisUrl: redis.url }) });
    try {
      const env = { COUNTERSIGN_CONFIG: 'test/support/retaining.config.ts' };
      const doomed = await stage.startBot({ env, dieAt: at });
      const root = await mention(stage, ANN, 'hello');
      await reply(stage, root, 'Hello!');
      await doomed.gone;

      const { runs } = await historyOf(stage, root);
      expect(runs.map(({ entries }) => entries.at(-1)?.type)).toEqual(['sealed']);
      const archive = join(sources.folder, 'archive');
      const file = `${runs[0]?.run}.jsonl`;
      expect(existsSync(join(archive, file))).toBe(true);

      const next = await stage.startBot({ env });
      await stage.world.until(() => stage.world.session(root).status === 'closed', { withinMs: 30_000 });
      await next.kill();
      expect((await historyOf(stage, root)).runs).toEqual([]);
      expect(readdirSync(archive)).toEqual([file]);
      const said = [...(await linesOf(stage)).values()].filter((line) => line.includes('"run-retired"'));
      expect(said.length).toBeGreaterThan(0);
    } finally {
      await stage.close();
      await redis?.remove();
      sources.remove();
    }
  });
});
