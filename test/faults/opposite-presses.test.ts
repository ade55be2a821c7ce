import { afterEach, expect, it } from 'vitest';
import { ANN, BEN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { answeredBy, cardIn, openCards, openStage, type Stage, says } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { FASTER, type Patched, patchedSources } from '../support/patched.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
let sources: Patched;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  sources?.remove();
});

const ROUNDS = process.env.SOAK === undefined ? 200 : 1_000;
/** Threads at a time, each in a channel of its own. */
const AT_ONCE = 10;

it(`when two people press opposite buttons on two replicas, ${ROUNDS} times, one press wins, both people hear so, and the card says so (FS4)`, async () => {
  redis = await startRedisServer();
  sources = patchedSources(FASTER);
  stage = await openStage({ redisUrl: redis.url, sources: sources.folder });
  const env = { COUNTERSIGN_CONFIG: 'test/support/two-deciders.config.ts' };
  const bots = [await stage.startBot({ http: true, env }), await stage.startBot({ http: true, env })];
  // Two presses at the same instant go to different replicas.
  stage.sandbox.deliverTo(...bots.map(({ port }) => `http://127.0.0.1:${port}/slack/events`));
  const channels = channelsLikeOps(stage, AT_ONCE);
  const beganMs = performance.now();
  const fights: Fight[] = [];
  for (let done = 0; done < ROUNDS; done += AT_ONCE) fights.push(...(await fightIn(channels, done / AT_ONCE)));
  const seconds = (performance.now() - beganMs) / 1_000;
  await Promise.all(bots.map((bot) => bot.kill()));

  const history = await historyOf(stage, ...fights.map(({ root }) => root));
  expect(brokenRules({ history, before: [], cutTurns: ROUNDS })).toEqual([]);
  const decided = history.runs.map((run) => run.entries.filter((entry) => entry.type === 'call-decided'));
  expect(decided.map((decisions) => decisions.length)).toEqual(fights.map(() => 1));
  const yes = decided.flat().filter(({ verdict }) => verdict === 'approve').length;
  expect(history.done).toHaveLength(yes);
  const [one, other] = bots.map(answeredBy);
  const apart = [...(one ?? [])].filter((approval) => other?.has(approval)).length;
  process.stdout.write(
    `FS4: ${fights.length} cards, approved ${yes} times and denied ${fights.length - yes}, ` +
      `${apart} of them on two replicas, ${seconds.toFixed(1)} s\n`,
  );

  for (const [at, { root, card, told }] of fights.entries()) {
    const [decision] = decided[at] ?? [];
    const winner = decision?.by ?? '';
    const shown = stage.world.message(card);
    expect(shown === undefined ? '' : says(shown, decision?.verdict === 'approve' ? 'Approved' : 'Denied')).toBe(true);
    expect(shown === undefined ? '' : says(shown, `<@${winner}>`)).toBe(true);
    expect(openCards(stage, root)).toEqual([]);
    expect(told).toEqual({ user: winner === ANN ? BEN : ANN, text: expect.stringContaining(`<@${winner}> already`) });
  }
});

interface Fight {
  readonly root: SlackMessage;
  readonly card: SlackMessage;
  /** The private answer to the press that came too late. The card answers the other one. */
  readonly told: { readonly user: string; readonly text: string };
}

/** In each channel one thread, whose card two people press at the same instant. */
async function fightIn(channels: readonly string[], round: number): Promise<readonly Fight[]> {
  const { world } = stage;
  const roots = await Promise.all(
    channels.map((channel) => world.say(ANN, channel, `<@${BOT}> restart the payments service`)),
  );
  const cards = await Promise.all(roots.map((root) => cardIn(stage, root)));
  // The press that is sent first often arrives first, so the two people take turns.
  const people = [
    [ANN, 'approval_approve'],
    [BEN, 'approval_deny'],
  ] as const;
  await Promise.all(
    cards.flatMap((card, at) =>
      ((round + at) % 2 === 0 ? people : people.toReversed()).map(([user, action]) => world.press(user, card, action)),
    ),
  );
  return Promise.all(
    roots.map(async (root, at): Promise<Fight> => {
      await world.until(() => world.session(root).status === 'active', {
        what: 'it comes to an end',
      });
      const { id, to, text } = await world.until(() => toldIn(ANN, root) ?? toldIn(BEN, root), {
        what: 'the second of them hears who was faster',
      });
      // Read and out of sight: a thousand of them would be looked through each time.
      world.dismiss(id);
      const told = { user: to, text };
      const card = cards[at];
      if (card === undefined) throw new Error('There is a card for each thread.');
      return { root, card, told };
    }),
  );
}

const toldIn = (user: string, root: SlackMessage) =>
  stage.world.ephemerals(user).find(({ channel, threadTs }) => channel === root.channel && threadTs === root.ts);
