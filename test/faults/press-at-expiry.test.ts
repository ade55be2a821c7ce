import { afterEach, expect, it } from 'vitest';
import type { Entry } from '../../app/journal/facts/entries.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { openCards, openStage, type Stage, says } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { FASTER, type Patched, patchedSources } from '../support/patched.ts';
import { entriesOf, keyOf } from '../support/read-history.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
let sources: Patched;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  sources?.remove();
});

/** `npm run soak` has them all. */
const ROUNDS = process.env.SOAK === undefined ? 100 : 1_000;
/** Threads at a time, each in a channel of its own. */
const AT_ONCE = 20;

/** Two replicas look for what is due so often that one of them is there at the instant. */
const PUNCTUAL = { file: 'app/limits.ts', find: 'sweepMs: 500,', put: 'sweepMs: 20,' };

it(`with a press at the instant of expiry, ${ROUNDS} times, one of the two wins, and card and model agree with it (FT3)`, async () => {
  redis = await startRedisServer();
  sources = patchedSources([...FASTER, PUNCTUAL]);
  stage = await openStage({ redisUrl: redis.url, sources: sources.folder });
  const env = { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' };
  const bots = [await stage.startBot({ http: true, env }), await stage.startBot({ http: true, env })];
  stage.sandbox.deliverTo(...bots.map(({ port }) => `http://127.0.0.1:${port}/slack/events`));
  const channels = channelsLikeOps(stage, AT_ONCE);
  const aim = createAim();
  const fights: Fight[] = [];
  while (fights.length < ROUNDS) fights.push(...(await fightIn(channels, aim)));
  await Promise.all(bots.map((bot) => bot.kill()));

  const history = await historyOf(stage, ...fights.map(({ root }) => root));
  expect(brokenRules({ history, before: [], cutTurns: ROUNDS })).toEqual([]);
  expect(history.runs).toHaveLength(ROUNDS);
  const ends = history.runs.map(({ entries }) => entries.filter(isEnd).map(({ type }) => type));
  expect(ends.filter(({ length }) => length !== 1)).toEqual([]);
  const yes = ends.filter(([end]) => end === 'call-decided').length;
  process.stdout.write(`FT3: ${fights.length} cards, decided ${yes} times and expired ${fights.length - yes}\n`);
  // Presses that were all too early, or too late, would be no fight.
  expect(Math.min(yes, fights.length - yes)).toBeGreaterThan(ROUNDS / 20);

  for (const [at, { root, told }] of fights.entries()) {
    const isYes = ends[at]?.[0] === 'call-decided';
    const posts = stage.world.messages(root).filter(({ user }) => user === BOT);
    const shown = posts.filter((message) => keyOf(message)?.startsWith('card:'));
    expect(shown.map((card) => says(card, isYes ? 'Approved' : 'Nobody answered by'))).toEqual([true]);
    expect(openCards(stage, root)).toEqual([]);
    const said = posts.filter(({ text }) => /^(Done\. The|Understood)/.test(text)).map(({ text }) => text);
    expect(said).toEqual([expect.stringMatching(isYes ? /^Done/ : /^Understood/)]);
    // A computer that is very busy may not know in time that it was too late.
    const late = /^(Nobody answered in time|That was not recorded)/;
    if (isYes) expect(told).toBeUndefined();
    else if (told !== undefined) expect(told).toMatch(late);
  }
  expect(history.begun).toHaveLength(yes);
});

const isEnd = ({ type }: Entry): boolean =>
  type === 'call-decided' || type === 'call-expired' || type === 'call-cancelled';

interface Fight {
  readonly root: SlackMessage;
  /** What the person was told about their press; nothing where it counted, or the card had lost its buttons before it. */
  readonly told: string | undefined;
}

/** How long before the end a press sets out, so that it arrives there: a little later after each that came in time. */
function createAim() {
  let leadMs = 20;
  return {
    leadMs: () => leadMs,
    hit: (wasInTime: boolean) => {
      leadMs *= wasInTime ? 0.9 : 1.1;
    },
  };
}

/** In each channel one thread, whose card is pressed when its time is over. */
async function fightIn(channels: readonly string[], aim: ReturnType<typeof createAim>): Promise<readonly Fight[]> {
  const { world } = stage;
  const roots = await Promise.all(
    channels.map((channel) => world.say(ANN, channel, `<@${BOT}> restart the payments service`)),
  );
  const cards = await Promise.all(roots.map((root) => world.until(() => cardOf(root))));
  const { runs } = await historyOf(stage, ...roots);
  return Promise.all(
    roots.map(async (root, at): Promise<Fight> => {
      const [run, card] = [runs[at], cards[at]];
      const [asked] = run === undefined ? [] : entriesOf(run, 'call-asked');
      if (asked === undefined || card === undefined) throw new Error('There is a card for each thread.');
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, asked.expiresAtMs - aim.leadMs() - Date.now())));
      const sent = await world.press(ANN, card, 'approval_approve').catch(() => undefined);
      const isOver = () =>
        world.session(root).status === 'active' && world.messages(root).some(({ text }) => ENDS.test(text));
      await world.until(isOver, { what: 'it comes to an end' });
      const wasInTime = world.messages(root).some(({ text }) => text.startsWith('Done.'));
      aim.hit(wasInTime);
      if (sent === undefined || wasInTime) return { root, told: undefined };
      const { id, text } = await world.until(() => toldIn(root), { what: 'they hear what became of their press' });
      // Read and out of sight: a thousand of them would be looked through each time.
      world.dismiss(id);
      return { root, told: text };
    }),
  );
}

const ENDS = /^(Done\. The|Understood)/;

const cardOf = (root: SlackMessage) =>
  stage.world.messages(root).find((message) => keyOf(message)?.startsWith('card:') === true);

const toldIn = (root: SlackMessage) =>
  stage.world.ephemerals(ANN).find(({ channel, threadTs }) => channel === root.channel && threadTs === root.ts);
