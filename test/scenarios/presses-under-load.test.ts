import { afterEach, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openStage, type Stage } from '../support/bot.ts';
import { install, startForMany } from '../support/install.ts';
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

const PRESSES = 200;
const EVERY_MS = 5;
/** So long as the test waits for an acknowledgement. Redis answers nothing before it is over. */
const WAITED_MS = 60_000;

/** What the store does from the presses to the end of the test. */
const STORES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['answers', async () => {}],
  ['takes a second to answer', async () => wire.delay(1_000)],
  ['answers no command', () => redis.client().call('CLIENT', 'PAUSE', `${10 * WAITED_MS}`, 'ALL')],
  ['is gone', () => redis.kill()],
];

const openOnWire = async () => {
  redis = await startRedisServer();
  wire = await startProxy(redis.port);
  stage = await openStage({
    redisUrl: `redis://127.0.0.1:${wire.port}`,
    sandbox: { acknowledgeWithinMs: WAITED_MS },
  });
};

it.each(STORES)('acknowledges each of two hundred presses when Redis %s (B18)', async (what, disturb) => {
  await openOnWire();
  await stage.startBot({ http: true });
  const card = await cardIn(stage, await mention(stage, ANN, 'restart the payments service'));
  const value = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
  expect(value).not.toBe('');
  await disturb();

  const presses = await Promise.all(
    Array.from({ length: PRESSES }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * EVERY_MS));
      // The first decides, and the others still see the button for a moment.
      const { acknowledgement } = await stage.world.press(ANN, card, 'approval_deny', { forged: true, value });
      return acknowledgement;
    }),
  );

  expect(presses.filter(({ type }) => type !== 'acknowledged')).toEqual([]);
  const times = presses.flatMap((one) => (one.type === 'acknowledged' ? [one.afterMs] : [])).sort((a, b) => a - b);
  process.stdout.write(`Redis ${what}: all ${PRESSES} acknowledged, p99 ${times.at(-3)} ms\n`);
});

/** Longer than an installation is believed to be there, so that the store is asked for it. */
const BELIEVED_MS = 5_200;

it.each(STORES.slice(1, 3))(
  'acknowledges a form of one of many workspaces when Redis %s (B18)',
  async (_what, disturb) => {
    await openOnWire();
    const { port } = await startForMany(stage);
    const world = await install(stage, port, 'T0ACME0001');
    const root = await world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
    const card = await cardIn({ ...stage, world }, root);
    const value = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
    await world.press(ANN, card, 'approval_more', { option: `deny ${value}` });
    const view = await world.until(() => world.views(ANN).find(({ content }) => content.submit !== undefined));
    await aWhile(BELIEVED_MS);
    await disturb();

    const { acknowledgement, result } = await world.submit(ANN, view, { reason: 'Not now.' });

    expect(acknowledgement.type).toBe('acknowledged');
    expect(['closed', 'updated']).toContain(result.type);
  },
);
