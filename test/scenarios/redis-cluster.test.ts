import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { threadKey } from '../../app/records/index.ts';
import { digits, shardOfThread, todoKey } from '../../app/store/keys.ts';
import { ANN, TEAM } from '../../sandbox/people.ts';
import { aWhile, cardIn, cards, mention, openStage, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';

let cluster: RedisCluster;
let stage: Stage;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterEach(() => stage?.close());
afterAll(() => cluster.remove());

/** As a Cluster spreads them. */
const SHARDS = 64;

describe('two replicas on a Redis Cluster', () => {
  it('lose the node of a pending approval, say that a press was not recorded, and go on when the node is back (FR11)', async () => {
    stage = await openStage({ redisUrl: cluster.url });
    await stage.startBot();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    const thread = threadKey({ team: TEAM, channel: root.channel, ts: root.ts });

    const { bringBack } = await cluster.loseNodeOf(todoKey(digits(shardOfThread(thread, SHARDS))));
    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, /not recorded/i);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await bringBack();
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    await aWhile();
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(1);
  });
});
