import { afterEach, describe, expect, it } from 'vitest';
import { wakeChannel } from '../../app/store/keys.ts';
import { FAST } from '../../app/store/redis/connection/link.ts';
import { ANN, BOT, TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  logged,
  mention,
  notRecorded,
  openCards,
  openStage,
  pressUntilRecorded,
  reply,
  type Stage,
  says,
  witnessed,
} from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
let wire: TestProxy | undefined;
afterEach(async () => {
  await stage?.close();
  await wire?.close();
  await redis?.remove();
});

const WISH = 'restart the payments service';

/** A bot on a Redis of its own, which keeps all that it has answered. */
async function begin({ wired = false } = {}): Promise<void> {
  redis = await startRedisServer();
  wire = wired ? await startProxy(redis.port) : undefined;
  stage = await openStage({ redisUrl: wire === undefined ? redis.url : `redis://127.0.0.1:${wire.port}` });
  await stage.startBot();
}

const isOpen = (root: SlackMessage) => openCards(stage, root).length > 0;

/** The thread ended as without the fault: one call, one answer, and no broken rule. */
async function endsWell(root: SlackMessage, cutTurns = 0): Promise<void> {
  await reply(stage, root, 'Done.');
  await stage.world.until(() => stage.world.session(root).status === 'active');
  await aWhile();
  const history = await historyOf(stage, root);
  expect(history.done).toHaveLength(1);
  expect(brokenRules({ history, before: [], cutTurns })).toEqual([]);
}

describe('a Redis that is restarted under a bot', () => {
  it('while the model answers: the answer is written when Redis is back (FR1)', async () => {
    await begin();
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 2_000 });
    const root = await mention(stage, ANN, WISH);
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    await redis.kill();
    await aWhile(3_000);
    await redis.start();

    const card = await cardIn(stage, root);
    await pressUntilRecorded(stage, root, card);
    await endsWell(root, 1);
  });

  it('while people are waited for: the next press counts (FR1)', async () => {
    await begin();
    const root = await mention(stage, ANN, WISH);
    const card = await cardIn(stage, root);
    await redis.kill();
    await aWhile();
    await redis.start();

    await pressUntilRecorded(stage, root, card);
    await endsWell(root);
  });

  it('while a person decides: the press is recorded, or the person is told so and presses again (FR1)', async () => {
    await begin();
    const root = await mention(stage, ANN, WISH);
    const card = await cardIn(stage, root);
    const before = notRecorded(stage);
    const pressing = stage.world.press(ANN, card, 'approval_approve');
    await redis.kill();
    await pressing;
    await aWhile();
    await redis.start();

    await stage.world.until(() => !isOpen(root) || notRecorded(stage) > before);
    if (isOpen(root)) await pressUntilRecorded(stage, root, card);
    await endsWell(root);
  });

  it('while a person presses: the person hears so, and nothing is recorded later without a new press (FR13)', async () => {
    await begin();
    const root = await mention(stage, ANN, WISH);
    const card = await cardIn(stage, root);

    await redis.kill();
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => notRecorded(stage) === 1);
    await redis.start();
    await aWhile(4_000);
    expect(isOpen(root)).toBe(true);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await pressUntilRecorded(stage, root, card);
    await endsWell(root);
  });
});

describe('dead connections to Redis', () => {
  it('under a press: the presser is answered soon, and the press counts then or when repeated (FR5)', async () => {
    await begin({ wired: true });
    const root = await mention(stage, ANN, WISH);
    const card = await cardIn(stage, root);

    wire?.goSilent();
    const pressedMs = performance.now();
    const before = notRecorded(stage);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => !isOpen(root) || notRecorded(stage) > before);
    const tookMs = Math.round(performance.now() - pressedMs);
    process.stdout.write(
      `FR5 a press on a silent connection was answered after ${tookMs} ms; patience ${FAST.totalMs}\n`,
    );

    if (isOpen(root)) await pressUntilRecorded(stage, root, card);
    await endsWell(root);
  });
});

describe('hints', () => {
  it('that come late, twice, out of order, malformed or for unknown runs change nothing (FR8)', async () => {
    await begin();
    const heard: string[] = [];
    const ear = redis.client();
    await ear.subscribe(wakeChannel('00', 0));
    let messing = false;
    ear.on('message', (_channel, text) => {
      // A bot that looks whether Redis takes hints sends an empty text.
      if (!messing && text !== '') heard.push(text);
    });
    const mouth = redis.client();
    const first = await mention(stage, ANN, WISH);
    await cardIn(stage, first);
    const mess = async () => {
      messing = true;
      const known = [...heard];
      const later = known.map((text) => JSON.stringify({ ...JSON.parse(text), version: 999 }));
      const unknown = known.map((text) => text.replaceAll(/"run":"(..)r[^"]+"/g, '"run":"$1rAAAAAAAAAAAAAAAAAAAAAA"'));
      for (const text of [...known.toReversed(), ...known, ...later, ...unknown, '', '{', 'null', '{"run":1}'])
        await mouth.publish(wakeChannel('00', 0), text);
      await aWhile();
      messing = false;
    };

    await mess();
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(isOpen(first)).toBe(true);
    await pressUntilRecorded(stage, first, await cardIn(stage, first));
    await mess();
    await endsWell(first);
    const requests = stage.sandbox.model.requests.length;
    await mess();

    expect(heard.length).toBeGreaterThan(0);
    expect(stage.sandbox.model.requests).toHaveLength(requests);
    expect(stage.world.messages(first).filter((message) => says(message, 'Done.'))).toHaveLength(1);
    await endsWell(first);
  });
});

describe('a Redis that is full', () => {
  const room = (bytes: string) => redis.client().config('SET', 'maxmemory', bytes);

  it('while the model answers: no person is asked and nothing runs until Redis has room (FR12)', async () => {
    await begin();
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
    const root = await mention(stage, ANN, WISH);
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    await room('1');
    await aWhile(3_000);
    expect(isOpen(root)).toBe(false);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await room('0');
    const card = await cardIn(stage, root);
    await pressUntilRecorded(stage, root, card);
    await endsWell(root);
  });

  it('while people are waited for: a press is not recorded and the presser hears so, and the next one counts when Redis has room (FR12)', async () => {
    await begin();
    const root = await mention(stage, ANN, WISH);
    const card = await cardIn(stage, root);
    await room('1');
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => notRecorded(stage) === 1);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await room('0');
    expect(await pressUntilRecorded(stage, root, card)).toBe(0);
    await endsWell(root);
  });

  it('at the first start of a version that notes whose a store is: the bot starts, and notes it when Redis has room (EDGE-8, FR12)', async () => {
    redis = await startRedisServer();
    stage = await openStage({ redisUrl: redis.url });
    await (await stage.startBot()).stop();
    const client = redis.client();
    await client.del('cs:owner');
    await room('1');

    await stage.startBot();
    await room('0');
    await expect.poll(() => client.get('cs:owner')).toBe(`${BOT}:${TEAM}`);
  });
});

it('a Redis that is told to throw facts away below a living bot is named in its log, once (EDGE-3, FR14)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const bot = await stage.startBot();
  await redis.client().config('SET', 'maxmemory-policy', 'allkeys-lru');

  const words = 'Redis may throw stored approvals away: its maxmemory-policy is allkeys-lru.';
  await logged(bot, words);
  await aWhile(16_000);
  expect(bot.log().split(words)).toHaveLength(2);
});
