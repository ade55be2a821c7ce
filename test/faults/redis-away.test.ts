import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openCards, openStage, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type Patched, patchedSources, TEN_TIMES_AS_FAST } from '../support/patched.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';
import { freePort } from '../support/servers.ts';

let stage: Stage;
let redis: RedisServer;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  sources?.remove();
});

/**
 * `npm run soak` has the ten minutes. In a build they become ten seconds, and so does how long a wait keeps its memory.
 * Leases, locks and attempts become a tenth: a sixtieth of them would be shorter than what a busy computer takes.
 */
const AWAY =
  process.env.SOAK === undefined
    ? {
        title: 'ten minutes (ten seconds, the rest in proportion)',
        ms: 10_000,
        patches: TEN_TIMES_AS_FAST,
        env: { COUNTERSIGN_CONFIG: 'test/support/soon-cold.config.ts' },
      }
    : { title: 'ten minutes', ms: 600_000, patches: [], env: {} };

async function standing(port: number): Promise<{ readonly status: number; readonly text: string } | 'closed'> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return answer === undefined ? 'closed' : { status: answer.status, text: await answer.text() };
}

const untilReady = (port: number) => expect.poll(() => standing(port)).toMatchObject({ status: 200 });

async function staysUnready(port: number, ms: number): Promise<void> {
  for (const startedMs = performance.now(); performance.now() - startedMs < ms; await aWhile(500)) {
    expect(await standing(port)).toMatchObject({ status: 503, text: expect.stringContaining('store cannot be used') });
  }
}

it('with Redis away at the start, the bot waits and takes nothing, and runs when Redis is there (FR13)', async () => {
  redis = await startRedisServer();
  await redis.kill();
  stage = await openStage({ redisUrl: redis.url });
  const port = await freePort();
  let runs = false;
  const starting = stage.startBot({ env: { PORT: `${port}` } }).then((bot) => {
    runs = true;
    return bot;
  });

  await aWhile(2_000);
  expect(runs).toBe(false);
  expect(await standing(port)).toSatisfy((seen) => seen === 'closed' || seen.status === 503);
  const root = await mention(stage, ANN, 'restart the payments service');
  await redis.start();
  const bot = await starting;

  await untilReady(port);
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.');
  await stage.world.until(() => stage.world.session(root).status === 'active');
  await bot.kill();
  const history = await historyOf(stage, root);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  expect(history.done).toHaveLength(1);
});

it(`with Redis away for ${AWAY.title}, people hear so, nothing is lost or doubled, and the same bot goes on (FR13)`, {
  timeout: 1_200_000 + 2 * AWAY.ms,
}, async () => {
  redis = await startRedisServer();
  sources = patchedSources(AWAY.patches);
  // Slack tells again at once, after one minute and after five, and then never.
  const eventRetryMs = [1, AWAY.ms / 10, AWAY.ms / 2];
  stage = await openStage({ redisUrl: redis.url, sources: sources.folder, sandbox: { eventRetryMs } });
  const { world } = stage;
  const port = await freePort();
  const bot = await stage.startBot({ env: { ...AWAY.env, PORT: `${port}`, EXAMPLE_TOOL_MS: '1500' } });
  const waiting = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, waiting);
  const running = await mention(stage, ANN, 'restart the mail service');
  await world.press(ANN, await cardIn(stage, running), 'approval_approve');
  await world.until(() => witnessed(stage, 'begun').length === 1, { what: 'the tool has begun' });
  await untilReady(port);
  await redis.kill();

  const notRecorded = () => world.ephemerals(ANN).filter((message) => says(message, /not recorded/i)).length;
  await world.press(ANN, card, 'approval_approve');
  await world.until(() => notRecorded() === 1, { what: 'they are told' });
  await staysUnready(port, (9 * AWAY.ms) / 10);
  const written = await mention(stage, ANN, 'restart the search service');
  await staysUnready(port, AWAY.ms / 10);
  expect(openCards(stage, waiting)).toHaveLength(1);
  await redis.start();

  await untilReady(port);
  expect(bot.isAlive()).toBe(true);
  const within = { withinMs: PATIENCE_MS + AWAY.ms / 2 };
  await reply(stage, running, 'Done. The mail', within);
  await world.press(ANN, card, 'approval_approve');
  await world.press(ANN, await cardIn(stage, written, 0, within), 'approval_approve');
  for (const root of [waiting, running, written]) {
    await reply(stage, root, 'Done.', within);
    await world.until(() => world.session(root).status === 'active', within);
  }
  expect(openCards(stage, waiting)).toEqual([]);
  await bot.kill();

  const history = await historyOf(stage, waiting, running, written);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  expect(history.runs).toHaveLength(3);
  expect(history.done).toHaveLength(3);
  expect(history.inbox).toEqual([]);
});

it('with Redis away, a trust in words and an end of trust are not recorded later, and the person hears so at once (FR13)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const { world } = stage;
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await world.press(ANN, card, 'approval_trust');
  await reply(stage, root, 'Done.');
  const told = (words: RegExp) => world.ephemerals(ANN).filter((message) => says(message, words)).length;

  await redis.kill();
  await world.command(ANN, root.channel, '/trust', 'restart_service channel');
  await world.until(() => told(/Please try again/) === 1, { what: 'the person hears of the trust' });
  await world.press(ANN, card, 'trust_end');
  await world.until(() => told(/not recorded/i) === 1, { what: 'the person hears of the end' });
  await redis.start();
  await aWhile(4_000);

  await world.command(ANN, root.channel, '/trusted');
  await world.until(() => told(/any input, in this thread/) === 1, { what: 'the trust in the thread is listed' });
  expect(told(/any input, in this channel/)).toBe(0);
});
