import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, doubtIn, logged, mention, openStage, reply, type Stage, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

/** Each process has some of them. Redis is back for both at the same moment, and chance decides who is heard first. */
const CALLS = 8;

it('no call of a living process is in doubt when Redis is back after longer than a lease (FR13, D3)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const options = { http: true, env: { EXAMPLE_TOOL_MS: `${4 * LIMITS.leaseMs}` } };
  const bots = [await stage.startBot(options), await stage.startBot(options)];
  const roots = await Promise.all(
    Array.from({ length: CALLS }, () => mention(stage, ANN, 'restart the payments service')),
  );
  for (const root of roots) await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await stage.world.until(() => witnessed(stage, 'begun').length === CALLS, { what: 'all calls have begun' });

  await redis.kill();
  await aWhile(LIMITS.leaseMs + 2_000);
  await redis.start();
  for (const root of roots) {
    await reply(stage, root, 'Done.');
    await stage.world.until(() => stage.world.session(root).status === 'active');
  }
  await aWhile();
  await Promise.all(bots.map((bot) => bot.kill()));

  const history = await historyOf(stage, ...roots);
  const entries = history.runs.flatMap((run) => run.entries.map(({ type }) => type));
  expect(entries.filter((type) => type === 'call-unknown')).toEqual([]);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
});

it('a call of a process that died is put in doubt even where Redis comes back with a setup that the bot refuses (FR14, D3)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const options = { http: true, env: { EXAMPLE_TOOL_MS: `${30 * LIMITS.leaseMs}` } };
  const dying = await stage.startBot(options);
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await stage.world.until(() => witnessed(stage, 'begun').length === 1, { what: 'the call has begun' });
  const living = await stage.startBot(options);

  await redis.client().config('SET', 'maxmemory', '1');
  await logged(living, 'The store cannot be reached');
  await redis.client().call('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'allkeys-lru');
  await dying.kill();

  await doubtIn(stage, root);
});
