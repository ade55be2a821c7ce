import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, BOT, directChannel } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  cardIn,
  cards,
  hasSearched,
  mention,
  openStage,
  type RunningBot,
  reply,
  type Stage,
  type StageOptions,
  type Within,
} from '../support/bot.ts';
import { dyingWalk, type Walk } from '../support/dying-walk.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { ENDS, witnessesAgree } from '../support/kill-rows/row.ts';
import { patchedSources } from '../support/patched.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startProxy } from '../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';
import * as rules from '../support/rules-off.ts';

/*
 * Tests of the tests: a fault test that cannot fail proves nothing. Each rule is switched off in a copy of the sources, and
 * the story of its row must break; the same story with the rule on must not. The rules of the pure core are switched off
 * in `test/checker/switched-off.test.ts`.
 */

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.remove());

/** Ends well, or throws what went wrong. */
type Story = (sources: string, patienceMs: number) => Promise<unknown>;

interface Row {
  readonly off: rules.RuleOff;
  readonly story: Story;
  /** What has to be said when the rule is off. */
  readonly says: RegExp;
}

const dies =
  (walk: Walk, row: { readonly ran?: 0 | 1; readonly known?: boolean } = {}): Story =>
  async (sources, patienceMs) =>
    witnessesAgree(await dyingWalk({ ...walk, sources, patienceMs }), row);

/** A story in which no bot dies, or one in which each bot but the last dies at a step. */
const told =
  (
    tell: (stage: Stage, seen: { readonly withinMs: number }) => Promise<SlackMessage>,
    options: () => StageOptions = () => ({}),
  ): Story =>
  async (sources, withinMs) => {
    const stage = await openStage({ ...options(), sources });
    try {
      const root = await tell(stage, { withinMs });
      const history = await historyOf(stage, root);
      expect(brokenRules({ history, before: [], cutTurns: 1 })).toEqual([]);
    } finally {
      await stage.close();
    }
  };

const onRedis = () => ({ redisUrl: redis.freshDatabase() });

/** The thread shows that the work is over; then nothing is left to be written. */
async function end(stage: Stage, root: SlackMessage, bot: RunningBot, within: Within = {}): Promise<SlackMessage> {
  const isIdle = () => stage.world.session(root).status === 'active';
  await stage.world.until(isIdle, { what: 'the thread to be idle', ...within });
  await bot.kill();
  return root;
}

/** From the message to the last reply, with one press. */
async function approved(
  stage: Stage,
  bot: RunningBot,
  { withinMs }: { readonly withinMs: number },
): Promise<SlackMessage> {
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.', { withinMs });
  return end(stage, root, bot);
}

/** Bots that die when they have taken a thread, and one that does not. */
const taken = (deaths: number): Story =>
  told(async (stage, seen) => {
    const first = await stage.startBot({ dieAt: 'thread-taken' });
    const root = await mention(stage, ANN, 'restart the payments service');
    await first.gone;
    for (let death = 1; death < deaths; death += 1) {
      const next = await stage.startBot({ dieAt: 'thread-taken' });
      await next.gone;
    }
    const last = await stage.startBot();
    if (deaths > 1) {
      await reply(stage, root, 'have set it aside', seen);
      await stage.world.say(ANN, root.channel, `<@${BOT}> try again`, { thread: root });
    }
    await stage.world.press(ANN, await cardIn(stage, root, 0, seen), 'approval_approve');
    await reply(stage, root, 'Done.');
    return end(stage, root, last);
  }, onRedis);

/** A press would settle the question before its card is searched for, or posted again. */
const PRESSED_WITH_TWO: Walk = {
  dieAt: ['card-posted'],
  onlyLastIsPressed: true,
  ends: ENDS,
  afterwards: async (stage, root) => {
    const isThereTwice = () => cards(stage, root).length > 1;
    await stage.world.until(() => hasSearched(stage) || isThereTwice(), { what: 'a search or a second card' });
  },
};

const ROWS: readonly Row[] = [
  {
    off: rules.INTENT,
    story: dies(PRESSED_WITH_TWO),
    says: /D7: \S+ has more than one card/,
  },
  {
    off: rules.SEARCH,
    story: dies(PRESSED_WITH_TWO),
    says: /D7: \S+ has more than one card/,
  },
  {
    off: rules.RECONCILE,
    story: told(async (stage, seen) => approved(stage, await stage.startBot(), seen), onRedis),
    says: /Not seen within \d+ ms: the bot says Done/,
  },
  {
    off: rules.VERSION,
    story: async (sources, withinMs) => {
      const proxy = await startProxy(redis.port);
      const database = redis.freshDatabase().split('/').at(-1);
      const story = told(
        async (stage) => {
          const bot = await stage.startBot();
          const root = await mention(stage, ANN, 'restart the payments service');
          const card = await cardIn(stage, root);
          const cut = proxy.cutAfter('call-decided');
          await Promise.all([cut, stage.world.press(ANN, card, 'approval_approve')]);
          // The story looks for a second decision, even if the thread does not end.
          await reply(stage, root, 'Done.', { withinMs }).catch(() => {});
          return end(stage, root, bot, { withinMs }).catch(() => bot.kill().then(() => root));
        },
        () => ({ redisUrl: `redis://127.0.0.1:${proxy.port}/${database}` }),
      );
      await story(sources, withinMs).finally(proxy.close);
    },
    says: /D4: \S+ has more than one final state/,
  },
  {
    off: rules.START_FIRST,
    story: dies({ dieAt: ['tool-returned'], ends: ENDS }, { known: false }),
    says: /D2: \S+ ran more than once/,
  },
  {
    off: rules.REGISTER_FIRST,
    story: told(async (stage, seen) => approved(stage, await stage.startBot(), seen)),
    says: /Not seen within \d+ ms: the bot says Done/,
  },
  { off: rules.TODO, story: taken(1), says: /Not seen within \d+ ms: an open card/ },
  {
    off: rules.ANY_NUMBER_OF_CRASHES,
    story: taken(2),
    says: /Not seen within \d+ ms: the bot says have set it aside/,
  },
  {
    off: rules.STORE_FIRST,
    story: told(
      async (stage, seen) => {
        const first = await stage.startBot({ dieAt: 'delivery-received' });
        // A mention arrives as two deliveries, and one of them would make up for the other.
        const root = await stage.world.say(ANN, directChannel(ANN), 'hello');
        await first.gone;
        const last = await stage.startBot();
        await reply(stage, root, 'Hello!', seen);
        return end(stage, root, last);
      },
      () => ({ sandbox: { eventRetryMs: [200, 500, 1_000, 2_000, 4_000] } }),
    ),
    says: /Not seen within \d+ ms: the bot says Hello!/,
  },
  {
    off: rules.STORE_CLOCK,
    // For the store the question is over, and for the replica it is not. So no press counts.
    story: told(async (stage, seen) => approved(stage, await stage.startBot(), seen), onRedis),
    says: /Not seen within \d+ ms: the bot says Done/,
  },
];

describe.concurrent('a fault test notices when a rule is switched off', () => {
  it.each(ROWS.map((row) => [row.off.rule, row.off.id, row] as const))(
    '%s (%s)',
    async (rule, id, { off, story, says }) => {
      const timed = async (patches: rules.RuleOff['fault'], patienceMs: number) => {
        const { folder, remove } = patchedSources([...off.fault, ...patches]);
        const beganMs = performance.now();
        const problem = await story(folder, patienceMs)
          .then(() => undefined, problemOf)
          .finally(remove);
        return { problem, ms: Math.round(performance.now() - beganMs) };
      };

      const on = await timed(off.on ?? [], PATIENCE_MS);
      expect(on.problem).toBeUndefined();
      // The wait is twice as long as the reply usually takes.
      const without = await timed(off.off, 2 * on.ms + 1_000);
      process.stdout.write(
        `${id} switched off, ${rule}: ${says.exec(without.problem ?? '')?.[0]} (${on.ms} + ${without.ms} ms)\n`,
      );

      expect(without.problem ?? 'nothing').toMatch(says);
    },
  );
});

/** An assertion shortens what it compares; here all of it counts. */
function problemOf(error: unknown): string {
  const actual = error instanceof Error && 'actual' in error ? error.actual : '';
  return `${error} ${JSON.stringify(actual)}`;
}
