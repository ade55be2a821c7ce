import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, logged, mention, openStage, reply, type Stage, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer | undefined;
let wire: TestProxy | undefined;
afterEach(async () => {
  await stage?.close();
  await wire?.close();
  await redis?.remove();
});

/** Longer than a process may take from its last look to the tool without looking again. */
const LONG_MS = LIMITS.leaseMs + 1_000;

/** A bot with a tool that rests on what the world says. */
async function startLooking(env: Readonly<Record<string, string>>) {
  const WORLD = join(stage.dataDir, 'world');
  const setWorld = (text: string) => writeFileSync(WORLD, text);
  setWorld('it runs');
  const config = { COUNTERSIGN_CONFIG: 'test/faults/pausing.config.ts', WORLD };
  const bot = await stage.startBot({ http: true, env: { ...config, ...env } });
  const root = await mention(stage, ANN, 'restart the payments service');
  return { bot, root, setWorld, card: await cardIn(stage, root) };
}

const NOT_RUN = 'it did not run, because what it rests on is not what was shown any more';

describe.each(ENGINES)('a process that stands still between its last look and the start of a call (%s)', (engine) => {
  it.each([
    { seen: 'it is gone', what: 'does not run it where the world has changed', said: NOT_RUN, ran: 0 },
    { seen: 'it runs', what: 'runs it where the world is as it was shown', said: 'Done.', ran: 1 },
  ])('$what (T4, FP2)', async ({ seen, said, ran }) => {
    stage = await stageOn(engine);
    const { bot, root, setWorld, card } = await startLooking({ PAUSES_BEFORE_START: 'yes' });
    await stage.world.press(ANN, card, 'approval_approve');
    await logged(bot, 'The process stands still.');
    await aWhile(LONG_MS);
    setWorld(seen);
    bot.resume();
    await reply(stage, root, said);
    expect(witnessed(stage, 'begun')).toHaveLength(ran);
  });
});

it('a process that hears of its start only when the store is back does not run a call where the world has changed (T4, FR4)', async () => {
  redis = await startRedisServer();
  wire = await startProxy(redis.port);
  stage = await openStage({ redisUrl: `redis://127.0.0.1:${wire.port}` });
  const { root, setWorld, card } = await startLooking({});
  const started = wire.cutAfter('"type":"call-started"');
  await stage.world.press(ANN, card, 'approval_approve');
  await started;
  wire.swallow('');
  await aWhile(LONG_MS);
  setWorld('it is gone');
  wire.heal();
  await reply(stage, root, NOT_RUN);
  expect(witnessed(stage, 'begun')).toEqual([]);
});
