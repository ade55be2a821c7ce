import { afterEach, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openStage, reply, type Stage, whisper } from '../support/bot.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

const MESSAGES = 40;
const CHARS = 10_000;

it('a message in a thread that waits for people reads no other message that waits there (EDGE-7)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  await stage.startBot({ http: true });
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await stage.world.say(BEN, root.channel, 'I look at it', { thread: root });
  await whisper(stage, BEN, /button/i);
  const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await redis.client().info('stats'))?.[1]);

  const before = await sent();
  for (let at = 0; at < MESSAGES; at += 1) {
    const said = await stage.world.say(BEN, root.channel, `${'a'.repeat(CHARS)} ${at}`, { thread: root });
    await Promise.all(stage.world.deliveriesOf(said).map(({ settled }) => settled));
  }
  await aWhile();

  expect((await sent()) - before).toBeLessThan(MESSAGES * 10 * CHARS);
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'Done.');
  expect(JSON.stringify(stage.sandbox.model.requests.at(-1))).toContain(`a ${MESSAGES - 1}`);
});
