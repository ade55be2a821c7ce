import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openStage, reply, type Stage } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

const MINUTE_MS = 60_000;

/** Shortens the time for which Redis remembers taken deliveries. */
async function pass(ms: number): Promise<void> {
  const client = redis.client();
  for (const key of await client.keys('cs:*:seen:*')) await client.pexpire(key, (await client.pttl(key)) - ms);
}

it('the same deliveries, four times at once, after 1 and 5 minutes and after a day, on both replicas, act once (FS1)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const bots = [await stage.startBot({ http: true }), await stage.startBot({ http: true })];
  // The bots take turns, so that each delivery reaches each of them.
  stage.sandbox.deliverTo(...bots.map(({ port }) => `http://127.0.0.1:${port}/slack/events`));
  const { world } = stage;
  const root = await mention(stage, ANN, 'restart the payments service');
  const message = world.deliveriesOf(root);
  const four = <T>(send: () => Promise<T>) => Promise.all([1, 2, 3, 4].map(send));
  for (const delivery of message) await four(() => world.duplicate(delivery));
  const press = await world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await four(() => world.duplicate(press.delivery));
  await reply(stage, root, 'Done.');

  for (const ms of [MINUTE_MS, 4 * MINUTE_MS, 24 * 60 * MINUTE_MS - 5 * MINUTE_MS]) {
    await pass(ms);
    for (const delivery of [...message, press.delivery]) {
      const acknowledged = await four(() => world.redeliver(delivery));
      expect(acknowledged.map(({ type }) => type)).toEqual(Array(4).fill('acknowledged'));
    }
    await aWhile();
  }

  await Promise.all(bots.map((bot) => bot.kill()));
  const history = await historyOf(stage, root);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  expect(history.runs).toHaveLength(1);
  expect(history.done).toHaveLength(1);
});
