import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { audit } from '../support/audit.ts';
import { mention, openStage, reply } from '../support/bot.ts';
import { ENGINES } from '../support/engines.ts';
import { historyOf, linesOf } from '../support/history.ts';
import { RETIRING } from '../support/kill-rows/retiring.ts';
import { patchedSources, SOON_REMOVED } from '../support/patched.ts';
import { startRedisServer } from '../support/redis.ts';

/** `npm run soak` has them also with a bot that was told to stop. */
const WAYS = process.env.SOAK === undefined ? [false] : [false, true];
const DEATHS = RETIRING.flatMap((at) => WAYS.map((whileStopping) => ({ at, whileStopping })));

describe.concurrent.each(ENGINES)('a bot that dies while it removes a run (%s)', (engine) => {
  it.each(DEATHS)(
    'after $at (while it stops: $whileStopping) leaves the run whole until the removal, which happens once (FK22, FK24)',
    async ({ at, whileStopping }) => {
      const redis = engine === 'redis' ? await startRedisServer() : undefined;
      const sources = patchedSources([SOON_REMOVED]);
      const stage = await openStage({
        sources: sources.folder,
        ...(redis === undefined ? {} : { redisUrl: redis.url }),
      });
      try {
        const env = { COUNTERSIGN_CONFIG: 'test/support/retaining.config.ts' };
        const doomed = await stage.startBot({ env, dieAt: at, whileStopping });
        const root = await mention(stage, ANN, 'hello');
        await reply(stage, root, 'Hello!');
        await doomed.gone;

        const { runs } = await historyOf(stage, root);
        expect(runs.map(({ entries }) => entries.at(-1)?.type)).toEqual(['sealed']);
        const archive = join(sources.folder, 'archive');
        const file = `${runs[0]?.run}.jsonl`;
        expect(existsSync(join(archive, file))).toBe(true);

        const next = await stage.startBot({ env });
        await stage.world.until(() => stage.world.session(root).status === 'closed');
        await next.kill();
        expect((await historyOf(stage, root)).runs).toEqual([]);
        expect(readdirSync(archive)).toEqual([file]);
        const said = [...(await linesOf(stage)).values()].filter((line) => line.includes('"run-retired"'));
        expect(said.length).toBeGreaterThan(0);
        const exported = await audit({}, 'export', '--archive', join(archive, file));
        expect(exported.out).toContain('"kind":"run-finished"');
        expect(statSync(join(archive, file)).mode & 0o777).toBe(0o600);
      } finally {
        await stage.close();
        await redis?.remove();
        sources.remove();
      }
    },
  );
});
