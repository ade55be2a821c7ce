import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { openCards, openStage, type Stage, says } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.remove());

const THREADS = 8;
/** Slack's library leaves five seconds between a socket and the next one. */
const TROUBLES_EACH = 3;

interface Trouble {
  readonly what: string;
  /** How many bots, and so sockets. */
  readonly bots: number;
  readonly make: (sockets: Stage['sandbox']['sockets']) => void;
}

const TROUBLES: readonly Trouble[] = [
  { what: 'a socket that is dropped', bots: 1, make: (sockets) => sockets.cut() },
  { what: 'a warning before a refresh, and the refresh', bots: 1, make: warnedAndRefreshed },
  { what: 'two sockets, of which both are dropped and refreshed', bots: 2, make: droppedAndRefreshed },
];

function warnedAndRefreshed(sockets: Stage['sandbox']['sockets']): void {
  sockets.refresh('warning');
  setTimeout(() => sockets.refresh('refresh_requested'), 200);
}

let turn = 0;
function droppedAndRefreshed(sockets: Stage['sandbox']['sockets']): void {
  turn += 1;
  if (turn % 2 === 0) sockets.cut();
  else warnedAndRefreshed(sockets);
}

describe.concurrent('deliveries over sockets', () => {
  it.each(TROUBLES)('with $what: no message and no press is lost, and none counts twice (FS8)', async (trouble) => {
    const stage = await openStage({
      ...(trouble.bots === 1 ? {} : { redisUrl: redis.freshDatabase() }),
      sandbox: { eventRetryMs: [200, 500, 1_000, 2_000, 4_000, 8_000] },
    });
    try {
      const bots = await Promise.all(Array.from({ length: trouble.bots }, () => stage.startBot()));
      const channels = channelsLikeOps(stage, THREADS);
      const roots: SlackMessage[] = [];
      let pressed = 0;
      let unheard = 0;
      /** A press at an app that is not connected is answered by Slack, and its person presses again. */
      const press = async (root: SlackMessage) => {
        const [card] = openCards(stage, root);
        if (card === undefined || stage.sandbox.sockets.count() === 0) return;
        pressed += 1;
        const sent = await stage.world.press(ANN, card, 'approval_approve').catch(() => undefined);
        if (sent?.acknowledgement.type === 'unanswered') unheard += 1;
      };
      const isOver = (root: SlackMessage) =>
        stage.world.messages(root).some((message) => message.user === BOT && says(message, /Done\./)) &&
        stage.world.session(root).status === 'active';
      const until = performance.now() + PATIENCE_MS;
      let troubles = 0;
      /** Some presses arrive, and some are on their way when the socket closes. */
      let calm = 0;
      while (roots.length < THREADS || !roots.every(isOver)) {
        if (performance.now() > until) throw new Error(`Not over: ${roots.filter((root) => !isOver(root)).length}`);
        if (roots.length < THREADS) {
          // The socket closes right after the press, before or after its acknowledgement.
          roots.push(
            await stage.world.say(ANN, channels[roots.length] ?? '', `<@${BOT}> restart the payments service`),
          );
        }
        const presses = roots.map(press);
        calm = stage.sandbox.sockets.count() < trouble.bots ? 0 : calm + 1;
        if (troubles < TROUBLES_EACH && calm > 2) {
          trouble.make(stage.sandbox.sockets);
          troubles += 1;
        }
        await Promise.all(presses);
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      await Promise.all(bots.map((bot) => bot.kill()));

      const history = await historyOf(stage, ...roots);
      process.stdout.write(
        `FS8 with ${trouble.what}: ${roots.length} threads, ${troubles} times, ${pressed} presses, ${unheard} unanswered\n`,
      );
      expect(brokenRules({ history, before: [], cutTurns: trouble.bots === 1 ? 0 : THREADS })).toEqual([]);
      expect(history.done).toHaveLength(THREADS);
    } finally {
      await stage.close();
    }
  });
});
