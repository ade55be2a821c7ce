import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, openStage, reply, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { ONLY_SHORT_WAITS, patchedSources } from '../support/patched.ts';
import { startRedisServer } from '../support/redis.ts';

it('a press on another replica runs the call of a bot that was killed while it waited, without waiting for a lease or lock (FK11)', async () => {
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
    await stage.world.until(() => witnessed(stage, 'begun').length === 1);
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
  await expect.poll(keys, { message: 'The thread comes to rest.', interval: 100 }).toEqual([]);
}
