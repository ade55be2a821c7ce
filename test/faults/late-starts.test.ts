import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, doubtIn, logged, mention, openStage, reply, type Stage, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
let wire: TestProxy;
afterEach(async () => {
  await stage?.close();
  await wire?.close();
  await redis?.remove();
});

it('a process that hears of its start only after people had the lost call repeated does not run the tool (D2, FR4)', async () => {
  redis = await startRedisServer();
  wire = await startProxy(redis.port);
  stage = await openStage({ redisUrl: redis.url });
  const late = await stage.startBot({ http: true, env: { REDIS_URL: `redis://127.0.0.1:${wire.port}` } });
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  const started = wire.cutAfter('"type":"call-started"');
  await stage.world.press(ANN, card, 'approval_approve');
  await started;
  // The start is written, and its process hears nothing more of Redis.
  wire.swallow('');
  const other = await stage.startBot({ http: true });
  await stage.world.press(ANN, await doubtIn(stage, root), 'doubt_retry');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.');
  expect(witnessed(stage, 'begun')).toHaveLength(1);

  wire.heal();
  await logged(late, 'A run is left for a while');
  await aWhile();
  await Promise.all([late.kill(), other.kill()]);
  const history = await historyOf(stage, root);
  expect(history.begun).toHaveLength(1);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
});
