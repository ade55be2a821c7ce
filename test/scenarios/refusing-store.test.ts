import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openStage, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer | undefined;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  redis = undefined;
});

/** A store that refuses every write from now on. Call what it returns to let it write again. */
type Refuse = (dataDir: string) => Promise<() => Promise<unknown>>;

/** A Redis that is full, with the policy that the bot requires. */
const fullRedis: Refuse = async () => {
  const admin = redis?.client();
  await admin?.config('SET', 'maxmemory', '1');
  return async () => admin?.config('SET', 'maxmemory', '0');
};

/** Another program, a backup for example, that holds the file's write lock. */
const lockedSqlite: Refuse = async (dataDir) => {
  const other = new DatabaseSync(join(dataDir, 'countersign.sqlite'), { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  return async () => other.close();
};

it.each([
  ['a Redis without memory', true, fullRedis],
  ['an SQLite file that is locked', false, lockedSqlite],
] as const)(
  'the end of a call is written when the store takes it again, after %s refused it (MF-4)',
  async (_what, onRedis, refuse) => {
    if (onRedis) redis = await startRedisServer();
    stage = await openStage(redis === undefined ? {} : { redisUrl: redis.url });
    const bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/refusing-store.config.ts' } });
    stage.sandbox.model.next({ content: [call('move_data', {})] }, 'It is moved.');
    const root = await mention(stage, ANN, 'move the data');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Started.'), { what: 'the tool runs' });

    const allow = await refuse(stage.dataDir);
    writeFileSync(join(stage.dataDir, 'end-the-tool'), '');
    await expect.poll(bot.log).toContain('The end of a call could not be written');
    expect(witnessed(stage)).toHaveLength(1);
    await aWhile(1_500);
    expect(says(stage.world.message(card) ?? card, 'Started. Its end is not on record yet.')).toBe(true);
    await allow();

    await reply(stage, root, 'It is moved.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Ran in'), { what: 'the card says it ran' });
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(bot.log().match(/The end of a call could not be written/g)).toHaveLength(1);
    await bot.kill();
    expect(brokenRules({ history: await historyOf(stage, root), before: [], cutTurns: 0 })).toEqual([]);
  },
);
