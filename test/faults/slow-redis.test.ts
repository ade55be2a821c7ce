import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, cardIn, mention, openCards, openStage, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type Patch, type Patched, patchedSources, TEN_TIMES_AS_FAST } from '../support/patched.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
let wire: TestProxy;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  await wire?.close();
  await redis?.remove();
  sources?.remove();
  sources = undefined;
});

/** `npm run soak` has the half minute. A build has three seconds, with all that the bot itself waits for in proportion. */
const SLOW: readonly (readonly [by: string, delayMs: number, patches: readonly Patch[]])[] = [
  ['two seconds', 2_000, []],
  process.env.SOAK === undefined
    ? ['half a minute (three seconds, the rest in proportion)', 3_000, TEN_TIMES_AS_FAST]
    : ['half a minute', 30_000, []],
];

const TOOL_MS = 1_000;

const notRecorded = () => stage.world.ephemerals(ANN).filter((message) => says(message, /not recorded/i));

describe.each(SLOW)('a Redis whose every reply is late by %s', (_, delayMs, patches) => {
  it('still has each press acknowledged in time with the truth, nothing doubled, and every run finished (FR9)', async () => {
    redis = await startRedisServer();
    wire = await startProxy(redis.port);
    sources = patches.length === 0 ? undefined : patchedSources(patches);
    stage = await openStage({
      redisUrl: `redis://127.0.0.1:${wire.port}`,
      sandbox: { eventRetryMs: [delayMs, delayMs, delayMs, delayMs] },
      ...(sources === undefined ? {} : { sources: sources.folder }),
    });
    const { world } = stage;
    const bot = await stage.startBot({ env: { EXAMPLE_TOOL_MS: `${TOOL_MS}` } });
    const waiting = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, waiting);
    const running = await mention(stage, ANN, 'restart the mail service');
    await world.press(ANN, await cardIn(stage, running), 'approval_approve');
    await world.until(() => witnessed(stage, 'begun').length === 1, { what: 'the tool has begun' });

    wire.delay(delayMs);
    const pressedMs = performance.now();
    const { acknowledgement } = await world.press(ANN, card, 'approval_approve');
    expect(acknowledgement).toMatchObject({ type: 'acknowledged' });
    expect(notRecorded()).toEqual([]);
    await world.until(() => notRecorded().length === 1, { what: 'they are told' });
    const toldMs = Math.round(performance.now() - pressedMs);
    expect(notRecorded()[0]?.text).toMatch(/again/i);
    process.stdout.write(`FR9 by ${delayMs} ms: the person who pressed was told after ${toldMs} ms\n`);
    // The bot cannot store this delivery, so it does not acknowledge it, and Slack sends it again.
    const written = await mention(stage, ANN, 'restart the search service');
    await aWhile(delayMs + 2 * TOOL_MS);
    expect(openCards(stage, waiting)).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toHaveLength(1);

    wire.delay(0);
    const within = { withinMs: 2 * delayMs + PATIENCE_MS };
    await reply(stage, running, 'Done. The mail', within);
    await pressUntilRecorded(waiting, card);
    await pressUntilRecorded(written, await cardIn(stage, written, 0, within));
    for (const root of [waiting, running, written]) {
      await reply(stage, root, 'Done.', within);
      await world.until(() => world.session(root).status === 'active', within);
    }
    expect(bot.isAlive()).toBe(true);
    await bot.kill();

    const history = await historyOf(stage, waiting, running, written);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
    expect(history.runs).toHaveLength(3);
    expect(history.done).toHaveLength(3);
    expect(history.inbox).toEqual([]);
  });
});

/** Presses again each time the person is told that the press was not recorded. */
async function pressUntilRecorded(root: SlackMessage, card: SlackMessage): Promise<void> {
  const isOpen = () => openCards(stage, root).length > 0;
  while (isOpen()) {
    const before = notRecorded().length;
    await stage.world.press(ANN, card, 'approval_approve').catch(() => {});
    await stage.world.until(() => !isOpen() || notRecorded().length > before, { what: 'an answer' });
  }
}
