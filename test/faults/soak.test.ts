import { expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { openCards, openDoubts, openStage, type RunningBot, type Stage, witnessed } from '../support/bot.ts';
import { turnsThatDeathsCut } from '../support/cut-turns.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { FASTER, patchedSources } from '../support/patched.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';
import { postedLate } from '../support/stood-still.ts';
import { longestWait } from '../support/waits.ts';

/* `SOAK` is the long form: the same story with more people, for more than a minute each, one after the other. */
const SOAK = process.env.SOAK !== undefined;
const longer = SOAK ? 4 : 1;

/** `SOAK_SEED` makes the same choices again. The processes that die have their own pace. */
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);

interface Trouble {
  readonly id: string;
  readonly what: string;
  readonly replicas: number;
  readonly threads: number;
  readonly times: number;
  readonly everyMs: number;
  /** One bot is killed or stopped, and a new one takes its place. */
  readonly go: (bot: RunningBot) => Promise<unknown>;
  /** Takes away something that the bots rely on. */
  readonly alsoLosing?: (redis: RedisServer, choice: number) => Promise<unknown>;
}

/** What a process sent before it was killed arrives a little later. */
const ON_ITS_WAY_MS = 5_000;

/** How long the last thread may take to end. Nothing is judged by it but that it ends. */
const PATIENCE_MS = SOAK ? 1_100_000 : 600_000;

const kill = (bot: RunningBot) => bot.kill();

const TROUBLES: readonly Trouble[] = [
  {
    id: 'FN3, D15',
    what: 'four replicas, one killed every second, and the queue and the hints taken from them',
    ...{ replicas: 4, threads: 200 * longer, times: 20 * longer, everyMs: 1_000, go: kill },
    alsoLosing: async (redis, choice) => {
      const client = redis.client();
      if (choice % 2 === 0) return client.client('KILL', 'TYPE', 'PUBSUB');
      const jobs = await client.keys('cs:{queue}*');
      return jobs.length === 0 ? undefined : client.del(...jobs);
    },
  },
  {
    id: 'FN3',
    what: 'two replicas, one killed every four seconds',
    ...{ replicas: 2, threads: 50 * longer, times: 5 * longer, everyMs: 4_000, go: kill },
  },
  {
    id: 'FN2',
    what: 'four replicas, each stopped politely and replaced, one after the other',
    ...{
      replicas: 4,
      threads: SOAK ? 200 : 20,
      times: 4 * longer,
      everyMs: SOAK ? 2_000 : 500,
      go: (bot) => bot.stop(),
    },
  },
];

const told = SOAK ? it : it.concurrent;

told.each(TROUBLES)('$what leave nothing unapproved, nothing done twice and nothing lost ($id)', async (trouble) => {
  const redis = await startRedisServer();
  // Slack's rates are the slowest part. One of two replicas may have most threads, and then needs minutes.
  const isAtSlacksPace = SOAK && trouble.go === kill;
  const sources = isAtSlacksPace ? undefined : patchedSources(FASTER);
  const stage = await openStage({
    redisUrl: redis.url,
    ...(sources === undefined ? {} : { sources: sources.folder }),
    sandbox: { eventRetryMs: [200, 500, 1_000, 2_000, 4_000, 8_000] },
  });
  const began = performance.now();
  try {
    const random = randomFrom(SEED);
    const bots = await Promise.all(Array.from({ length: trouble.replicas }, () => stage.startBot()));
    const roots: SlackMessage[] = [];
    const diedAtMs: number[] = [];
    const talking = talk(stage, trouble, roots);
    const leftWords = trouble.go === kill ? diedAtMs : [];
    const people = keepPressing({ stage, talking, roots, leftWords }, AbortSignal.timeout(PATIENCE_MS));
    people.catch(() => {});

    for (let time = 0; time < trouble.times; time += 1) {
      await pause(trouble.everyMs);
      const place = random(bots.length);
      const goes = bots[place];
      const comes = stage.startBot();
      await Promise.all([goes && trouble.go(goes), trouble.alsoLosing?.(redis, random(2))]);
      diedAtMs.push(Date.now());
      bots[place] = await comes;
    }
    const presses = await people;
    await pause(2_000);
    await Promise.all(bots.map(kill));

    const history = await historyOf(stage, ...roots);
    const cutTurns = turnsThatDeathsCut(history, diedAtMs);
    const late = trouble.go === kill ? postedLate(stage, history).map((key) => `D12: ${key} was posted twice`) : [];
    const broken = brokenRules({ history, before: [], cutTurns }).filter((problem) => !late.includes(problem));
    const seconds = Math.round((performance.now() - began) / 1_000);
    const longest = longestWait(history);
    process.stdout.write(
      `${trouble.id}, ${trouble.what}: ${roots.length} threads, ${trouble.times} gone, ${presses} presses, ` +
        `${witnessed(stage, 'begun').length} calls begun, ${history.done.length} done, ${broken.length} rules broken, ` +
        `${cutTurns} turns can have been cut, ${late.length} posts came late, ` +
        `${roots.filter((root) => timesSetAside(stage, root) > 0).length} threads were set aside, ` +
        `${seconds} s, seed ${SEED}; the longest stood still for ${longest.ms / 1_000} s after ${longest.after}\n`,
    );
    expect(broken).toEqual([]);
    expect(history.done.length).toBeGreaterThan(0);
  } finally {
    await stage.close();
    await redis.remove();
    sources?.remove();
  }
});

/** A person asks in each thread while bots die. Slack limits messages per channel, so the threads lie in several channels. */
async function talk(stage: Stage, { threads, times, everyMs }: Trouble, roots: SlackMessage[]): Promise<void> {
  const ops = stage.world.channels.get(OPS);
  if (ops === undefined) throw new Error('The sandbox has no channel.');
  for (let thread = 0; thread < threads; thread += 1) {
    const id = `C0SOAK${100 + (thread % 20)}`;
    stage.world.channels.set(id, { ...ops, id, name: id.toLowerCase() });
    const service = ['payments', 'search', 'billing', 'mail'][thread % 4];
    roots.push(await stage.world.say(ANN, id, `<@${BOT}> restart the ${service} service`));
    await pause((times * everyMs) / threads);
  }
}

interface Pressed {
  readonly stage: Stage;
  readonly talking: Promise<void>;
  readonly roots: readonly SlackMessage[];
  /** When processes were killed: the last status that such a process showed may be an old one, and nothing corrects it. */
  readonly leftWords: readonly number[];
}

/** Presses each button twice at once, until each thread has its last reply. */
async function keepPressing(pressed: Pressed, giveUp: AbortSignal): Promise<number> {
  const { stage, talking, roots } = pressed;
  let isSaid = false;
  void talking.then(() => {
    isSaid = true;
  });
  let presses = 0;
  const press = (card: SlackMessage, action: string) => {
    presses += 2;
    // Its buttons may be gone between the look and the press.
    return Promise.all([1, 2].map(() => stage.world.press(ANN, card, action).catch(() => {})));
  };
  const answer = (root: SlackMessage, place: number) => [
    ...openCards(stage, root).map((card) => press(card, place % 4 === 3 ? 'approval_deny' : 'approval_approve')),
    ...openDoubts(stage, root).map((card) => press(card, 'doubt_skip')),
    ...(timesSetAside(stage, root) > timesTried(stage, root)
      ? [stage.world.say(ANN, root.channel, `<@${BOT}> try again`, { thread: root })]
      : []),
  ];
  while (!isSaid || roots.some((root) => !isOver(pressed, root))) {
    if (giveUp.aborted) throw new Error(await unfinished(pressed));
    await Promise.all(roots.flatMap(answer));
    await pause(200);
  }
  return presses;
}

const timesSetAside = (stage: Stage, root: SlackMessage): number =>
  stage.world.messages(root).filter(({ user, text }) => user === BOT && text.includes('have set it aside')).length;

const timesTried = (stage: Stage, root: SlackMessage): number =>
  stage.world.messages(root).filter(({ user, text }) => user === ANN && text.endsWith('try again')).length;

/** The output for a test that waits for an end that does not come. */
async function unfinished(pressed: Pressed): Promise<string> {
  const { stage, roots } = pressed;
  const left = roots.filter((root) => !isOver(pressed, root));
  const stories = left.slice(0, 3).map(async (root) => {
    const { runs, threads } = await historyOf(stage, root);
    const lines = runs.flatMap(({ entries }) => entries.map((entry) => JSON.stringify(entry)));
    const said = stage.world.messages(root).map(({ user, text }) => `${user}: ${text}`);
    const shown = statusesShown(stage, root).map(({ atMs, status }) => `${atMs} ${status}`);
    const now = `${root.ts} is ${stage.world.session(root).status}`;
    return [now, ...shown, JSON.stringify(threads), ...said, ...lines].join('\n');
  });
  return [`${left.length} of ${roots.length} threads do not end.`, ...(await Promise.all(stories))].join('\n\n');
}

/** The statuses that the bots showed in a thread, in the order in which they reached Slack. */
const statusesShown = (stage: Stage, root: SlackMessage) =>
  stage.world.requests
    .filter(
      ({ method, arguments: { thread_ts: thread } }) => method === 'agents.sessions.setStatus' && thread === root.ts,
    )
    .map(({ atMs, arguments: { status } }) => ({ atMs, status }));

function isOver({ stage, leftWords }: Pressed, root: SlackMessage): boolean {
  const said = stage.world.messages(root).some(({ user, text }) => user === BOT && /Done\. The|Understood/.test(text));
  const asked = openCards(stage, root).length + openDoubts(stage, root).length > 0;
  const shown = statusesShown(stage, root);
  const mayBeOldMs = Math.max(...leftWords) + ON_ITS_WAY_MS;
  const wasIdle = shown.some(({ status }) => status === 'active') && Number(shown.at(-1)?.atMs) < mayBeOldMs;
  return said && !asked && (wasIdle || stage.world.session(root).status === 'active');
}

/** Numbers below `limit`, the same ones for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
