import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { audit } from '../support/audit.ts';
import { cardIn, mention, openStage, reply, type Stage } from '../support/bot.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

const DATA_KEY = Buffer.alloc(32, 7).toString('base64');

it('a Redis that was emptied below a bot says again how it is encrypted and whose it is (EDGE-1, EDGE-3, EDGE-8)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  await stage.startBot({ env: { DATA_KEY } });
  const keys = ['cs:owner', 'cs:sealing', 'cs:shards'];
  const client = redis.client();
  await expect.poll(() => client.exists(keys)).toBe(3);
  await client.flushall();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.');
  await stage.world.until(() => stage.world.session(root).status === 'active');

  await expect.poll(() => client.exists(keys)).toBe(3);
  const { code, err } = await audit({ REDIS_URL: redis.url, DATA_KEY }, 'verify');
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('every one is as it was written') });
  await expect(stage.startBot()).rejects.toThrow('This store is encrypted, and DATA_KEY is not set.');
});
