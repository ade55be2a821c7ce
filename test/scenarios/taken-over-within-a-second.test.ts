import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, openStage, reply, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type Patch, patchedSources } from '../support/patched.ts';
import { startRedisServer } from '../support/redis.ts';

const limit = (name: string, from: string): Patch => ({
  file: 'app/limits.ts',
  find: `  ${name}: ${from},`,
  put: `  ${name}: 3_600_000,`,
});

/**
 * Every wait that is longer than a second takes an hour, so a bot that needs one of them never comes to the end. What is left
 * are the grace of a decision and the sweep: 600 ms together.
 */
const ONLY_SHORT_WAITS: readonly Patch[] = [
  limit('leaseMs', '5_000'),
  limit('reconcileMs', '15_000'),
  limit('queuePatienceMs', '3_000'),
  { file: 'app/work/redis.ts', find: 'const LOCK_MS = 5_000;', put: 'const LOCK_MS = 3_600_000;' },
  // What only waits is let go at a beat, which is a third of a lease.
  { file: 'app/work/sweep.ts', find: 'every(LIMITS.leaseMs / 3, beat)', put: 'every(500, beat)' },
];

it('a press on another replica runs the call of a bot that was killed while it waited, with no lease or lock to outlast (FK11)', {
  timeout: 120_000,
}, async () => {
  const redis = await startRedisServer();
  const sources = patchedSources(ONLY_SHORT_WAITS);
  const stage = await openStage({ redisUrl: redis.url, sources: sources.folder });
  try {
    const doomed = await stage.startBot({ http: true });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await untilItRests(redis.client());
    await stage.startBot({ http: true });
    await doomed.kill();

    const pressedMs = performance.now();
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => witnessed(stage, 'begun').length === 1, { withinMs: 60_000 });
    const tookMs = Math.round(performance.now() - pressedMs);
    process.stdout.write(`FK11 the tool began ${tookMs} ms after a press on another replica\n`);

    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    const history = await historyOf(stage, root);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  } finally {
    await stage.close();
    await redis.remove();
    sources.remove();
  }
});

/** The bot that asked holds the thread no more and has no job for it: it waits for a person, with the run in its memory. */
async function untilItRests(redis: Redis): Promise<void> {
  const keys = async () => [...(await redis.keys('*todo*')), ...(await redis.keys('cs:{queue}:threads:active'))];
  for (let tries = 1; (await keys()).length > 0; tries += 1) {
    if (tries > 100) throw new Error(`The thread does not come to rest: ${await keys()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
