import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { confirmForm } from '../support/approving.ts';
import {
  answeredBy,
  aWhile,
  cardIn,
  mention,
  openCards,
  openStage,
  reply,
  type Stage,
  says,
  whisper,
} from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { install, startForMany } from '../support/install.ts';
import { brokenRules } from '../support/invariants.ts';
import { FASTER, type Patched, patchedSources } from '../support/patched.ts';
import { entriesOf } from '../support/read-history.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer | undefined;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  sources?.remove();
});

const ROUNDS = process.env.SOAK === undefined ? 20 : 200;
/** Threads at a time, each in a channel of its own. */
const AT_ONCE = 10;

type Verdict = 'approve' | 'deny';
const other = (verdict: Verdict): Verdict => (verdict === 'approve' ? 'deny' : 'approve');
const SHOWN = { approve: 'Approved', deny: 'Denied' } as const;
const ALREADY = { approve: 'You already approved', deny: 'You already denied' } as const;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A person who presses faster than any painting: the second button is pressed even if it is gone. Requests on two
 * connections may overtake each other. With `inOrder`, the second press is sent after the first has arrived.
 */
async function pressBoth(user: string, card: SlackMessage, first: Verdict, gap: number | 'inOrder'): Promise<void> {
  const value = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
  const one = stage.world.press(user, card, `approval_${first}`);
  await (gap === 'inOrder' ? one : sleep(gap));
  const two = stage.world.press(user, card, `approval_${other(first)}`, { forged: true, value });
  const sent = await Promise.all([one, two]);
  expect(sent.map(({ acknowledgement }) => acknowledgement.type)).toEqual(['acknowledged', 'acknowledged']);
}

it.each([1, 2])(
  `when one person presses Approve and Deny within 10 ms, on %i replica(s), ${ROUNDS} times in either order, the first counts, and card, model and person agree (FS3)`,
  async (replicas) => {
    redis = await startRedisServer();
    sources = patchedSources(FASTER);
    stage = await openStage({ redisUrl: redis.url, sources: sources.folder });
    const bots = await Promise.all(Array.from({ length: replicas }, () => stage.startBot({ http: true })));
    stage.sandbox.deliverTo(...bots.map(({ port }) => `http://127.0.0.1:${port}/slack/events`));
    const channels = channelsLikeOps(stage, AT_ONCE);
    const gapOf = (at: number) => (replicas === 1 ? 'inOrder' : at % 10);
    const threads: Thread[] = [];
    while (threads.length < 2 * ROUNDS) threads.push(...(await pressedIn(channels, gapOf)));
    await Promise.all(bots.map((bot) => bot.kill()));

    const history = await historyOf(stage, ...threads.map(({ root }) => root));
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
    const counted = history.runs.map((run) => entriesOf(run, 'call-decided').map(({ verdict }) => verdict));
    expect(counted.map((verdicts) => verdicts.length)).toEqual(threads.map(() => 1));
    const refused = history.runs.flatMap((run) => entriesOf(run, 'press-refused').map(({ by }) => by));
    expect(refused).toEqual(threads.map(() => ANN));
    const firsts = threads.filter(({ first }, at) => counted[at]?.[0] === first).length;
    const [one, two] = bots.map(answeredBy);
    const apart = [...(one ?? [])].filter((approval) => two?.has(approval)).length;
    process.stdout.write(
      `FS3: ${threads.length} cards on ${replicas} replica(s), ${apart} pressed on both; the press that was sent first counted ${firsts} times\n`,
    );
    // With two replicas the journal says which press was first. A single replica must keep their order.
    if (replicas === 1) expect(firsts).toBe(threads.length);
    else expect(apart).toBeGreaterThan(threads.length / 4);

    const yes = counted.filter(([verdict]) => verdict === 'approve').length;
    expect([history.begun.length, history.done.length]).toEqual([yes, yes]);
    for (const [at, { root, card, told }] of threads.entries()) {
      const winner = counted[at]?.[0] === 'approve' ? 'approve' : 'deny';
      const shown = stage.world.message(card);
      expect(shown === undefined ? '' : says(shown, SHOWN[winner]) && !says(shown, SHOWN[other(winner)])).toBe(true);
      expect(openCards(stage, root)).toEqual([]);
      expect(told).toMatch(new RegExp(`^${ALREADY[winner]}`));
      const last = stage.world.messages(root).findLast(({ user }) => user === BOT);
      expect(last?.text).toMatch(winner === 'approve' ? /^Done\./ : /^Understood/);
    }
  },
);

interface Thread {
  readonly root: SlackMessage;
  readonly card: SlackMessage;
  readonly first: Verdict;
  /** The private answer to the press that came too late. The card answers the other one. */
  readonly told: string;
}

async function pressedIn(
  channels: readonly string[],
  gapOf: (at: number) => number | 'inOrder',
): Promise<readonly Thread[]> {
  const { world } = stage;
  const roots = await Promise.all(
    channels.map((channel) => world.say(ANN, channel, `<@${BOT}> restart the payments service`)),
  );
  const cards = await Promise.all(roots.map((root) => cardIn(stage, root)));
  // One after the other, so that the two presses on one card go to two replicas where there are two.
  const firstOf = (at: number): Verdict => (at % 2 === 0 ? 'approve' : 'deny');
  for (const [at, card] of cards.entries()) await pressBoth(ANN, card, firstOf(at), gapOf(at));
  return Promise.all(
    cards.map(async (card, at): Promise<Thread> => {
      const root = roots[at];
      if (root === undefined) throw new Error('There is a thread for each card.');
      const over = { what: 'it comes to an end' };
      await world.until(() => world.session(root).status === 'active', over);
      const { id, text } = await world.until(() => toldIn(root), {
        what: 'they hear about the press that came too late',
      });
      // Read and out of sight: all of them would be looked through each time.
      world.dismiss(id);
      return { root, card, first: firstOf(at), told: text };
    }),
  );
}

const toldIn = (root: SlackMessage) =>
  stage.world.ephemerals(ANN).find(({ channel, threadTs }) => channel === root.channel && threadTs === root.ts);

describe('a press that takes longer to be judged than the one after it', () => {
  const slowly = (times: number) => stage.world.faults.set('users.info', { type: 'slow', delayMs: 400 }, times);

  it('is not overtaken: an approval that is the last of several, and then a denial (FS3)', async () => {
    stage = await stageOn('redis');
    const options = { http: true, env: { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' } };
    const first = await stage.startBot(options);
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    await stage.world.press(BEN, card, 'approval_approve');
    await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));
    await first.stop();
    stage.confirmsByHand();
    await stage.startBot(options);
    await stage.world.press(ZOE, card, 'approval_approve');
    const form = await stage.world.until(() => confirmForm(stage.world, ZOE), { what: 'Zoe is asked to confirm' });
    // By then both have to be looked up again: Zoe, and Ben, whose yes is to count with hers.
    await aWhile(5_500);
    slowly(2);

    await Promise.all([stage.world.submit(ZOE, form), stage.world.press(ZOE, card, 'approval_deny')]);

    await reply(stage, root, 'The old database is gone.');
    await whisper(stage, ZOE, /You already approved .* Your press changed nothing/);
  });

  it('is not overtaken: in an organisation, where each presser is looked up first (FS3)', async () => {
    stage = await stageOn('redis');
    const { port } = await startForMany(stage);
    const world = await install(stage, port, 'E0ACME0001');
    stage = { ...stage, world };
    const root = await world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
    const card = await cardIn(stage, root);
    slowly(1);

    await pressBoth(ANN, card, 'approve', 'inOrder');

    await reply(stage, root, 'Done.');
    await whisper(stage, ANN, /You already approved .* Your press changed nothing/);
  });
});
