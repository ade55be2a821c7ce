import { expect } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { Message } from '../../sandbox/records.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { draws, mention, openCards, openDoubts, openStage, type RunningBot, type Stage, says } from './bot.ts';
import { type History, historyOf } from './history.ts';
import { brokenRules } from './invariants.ts';

/** How one walk through the bot goes, and where bots die on the way. */
export interface Walk {
  /** One bot dies at each, one after the other; the last one, which sees it to the end, is not named here. */
  readonly dieAt: readonly string[];
  /** Each of them is told to stop when it comes there, and dies while it does. */
  readonly whileStopping?: true;
  /** Another replica takes over that was there all the time. Answers with another empty database each time. */
  readonly freshDatabase?: () => string;
  /** And one of those that died is started again beside it. */
  readonly alsoRestarts?: true;
  readonly text?: string;
  readonly verdict?: 'approve' | 'deny' | 'trust' | 'nobody';
  /** The model speaks slowly, so people read along. */
  readonly slowly?: true;
  /** What a person says became of a call of which nobody saw the end. */
  readonly doubt?: 'skip' | 'retry' | 'nobody';
  /** What they answer a tool server. */
  readonly inquiry?: 'decline' | 'nobody';
  /** While the others live, nobody presses. */
  readonly onlyLastIsPressed?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxOptions;
  /** Writes what the bots are to find in their folder; answers with more for their environment. */
  readonly prepare?: (dataDir: string) => Readonly<Record<string, string>>;
  /** What else people do while the first bot lives. */
  readonly meanwhile?: (stage: Stage, root: Message, first: RunningBot) => Promise<void>;
  /** What people do when the last bot is there. */
  readonly afterwards?: (stage: Stage, root: Message) => Promise<void>;
  /** Answers of the model that die with a bot, besides those that break off. */
  readonly cutTurns?: number;
  /** Words of the bot after which nothing more is to come. */
  readonly ends: RegExp;
  /** As `openStage` takes it. */
  readonly sources?: string;
  /** How long the last bot has, where a test wants to see that the end never comes. */
  readonly patienceMs?: number;
}

export interface Walked {
  readonly history: History;
  /** As it was when each of the bots had died. */
  readonly before: readonly History[];
}

/** Long, because many of these share a computer. Nothing is ever judged by it. */
const PATIENCE_MS = 60_000;

/**
 * Walks from a message to the last reply with everything doubled: each delivery comes twice, each button is pressed
 * twice at once. Answers with what is left when all bots are dead, and fails if any rule is broken.
 */
export async function dyingWalk(walk: Walk): Promise<Walked> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const walked = await tryWalk(walk);
    if (walked !== 'nobody-died') return walked;
  }
  throw new Error(`Nobody died at ${walk.dieAt[0]}, however often it was tried. Does a walk come there?`);
}

/** With a replica beside it, the bot that is to die does not always get the work. */
const MOST_TRIES = 5;
const HANDED_OVER_MS = 30_000;

async function tryWalk(walk: Walk): Promise<Walked | 'nobody-died'> {
  const { dieAt, text = 'restart the payments service' } = walk;
  // What is left of a try in which nobody died is work for the bots of the next.
  const redisUrl = walk.freshDatabase?.();
  const stage = await openStage({
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(walk.sources === undefined ? {} : { sources: walk.sources }),
    sandbox: {
      eventRetryMs: [200, 500, 1_000, 2_000, 4_000, 8_000],
      ...walk.sandbox,
      ...(walk.slowly === true ? { pieceDelayMs: 260 } : {}),
    },
  });
  try {
    const env = { ...walk.env, ...walk.prepare?.(stage.dataDir) };
    const before: History[] = [];
    const { patienceMs: _, ...patient } = walk;
    const early: Walk = walk.onlyLastIsPressed === true ? { ...patient, verdict: 'nobody', doubt: 'nobody' } : patient;
    const takesOver = redisUrl !== undefined;
    const start = (step: string | undefined) =>
      stage.startBot({
        env,
        http: takesOver,
        whileStopping: walk.whileStopping === true,
        ...(step === undefined ? {} : { dieAt: step }),
      });
    const [firstStep, ...laterSteps] = dieAt;
    // The queue gives work to whoever has waited longest, and that is the one that is to die.
    const first = await start(firstStep);
    const replica = takesOver ? await start(laterSteps[0]) : undefined;
    deliverTo(stage, first);
    const root = await mention(stage, ANN, text);
    deliverTwice(stage, root);
    walk.meanwhile?.(stage, root, first).catch(() => {});
    const isOut = () => !first.isAlive() || (takesOver && isOver(stage, root, walk.ends));
    const patience = takesOver ? { patienceMs: HANDED_OVER_MS } : {};
    const death = keepPressing(stage, root, { ...early, ...patience }, isOut, `the bot dies at ${firstStep}`, first);
    // Where the replica has the work, nobody may come to any end that the first one waits for.
    if (takesOver) await death.catch(() => {});
    else await death;
    if (first.isAlive()) return 'nobody-died';
    // One that is told to stop from outside may be gone before it comes to the step; from inside it is told there.
    if ((await first.gone) !== null && walk.whileStopping !== true) return 'nobody-died';
    before.push(await historyOf(stage, root));
    let last = replica ?? (await start(laterSteps[0]));
    for (const [index, step] of laterSteps.entries()) {
      deliverTo(stage, last);
      const doomed = last;
      await keepPressing(stage, root, early, () => !doomed.isAlive(), `the next bot dies at ${step}`, doomed);
      before.push(await historyOf(stage, root));
      last = await start(laterSteps[index + 1]);
    }
    // Not before all of those have died who are to: it might take their work.
    const restarted = walk.alsoRestarts === true ? await start(undefined) : undefined;

    deliverTo(stage, last);
    deliverTwice(stage, root);
    await walk.afterwards?.(stage, root);
    const isAtEnd = () => isOver(stage, root, walk.ends);
    // What was never seen is mostly explained by the rules that are broken.
    const unseen = await keepPressing(stage, root, walk, isAtEnd, `the bot says ${walk.ends}`, last).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    await Promise.all([last.kill(), restarted?.kill()]);

    const history = await historyOf(stage, root);
    const streaming = dieAt.filter((step) => step.startsWith('model-streaming')).length;
    const cutTurns = streaming + (walk.cutTurns ?? 0);
    const broken = [...brokenRules({ history, before, cutTurns }), ...unseen];
    expect(broken, broken.length === 0 ? '' : storyOf(history, { first, last })).toEqual([]);
    return { history, before };
  } finally {
    await stage.close();
  }
}

/** What to read when a rule was broken, which may be seldom: who wrote what and when, and what the bots said of it. */
function storyOf({ runs }: History, bots: Readonly<Record<string, RunningBot>>): string {
  const lines = runs.flatMap(({ run, entries }) => entries.map((entry) => `${run} ${JSON.stringify(entry)}`));
  const logs = Object.entries(bots).flatMap(([name, bot]) => [`--- ${name}, ${bot.pid}`, bot.log()]);
  return ['', ...lines, ...logs].join('\n');
}

/** Said, shown, and the thread is told that it is everybody else's turn. */
function isOver(stage: Stage, root: Message, words: RegExp): boolean {
  const said = stage.world.messages(root).some((message) => message.ts !== root.ts && says(message, words));
  return said && stage.world.session(root).status === 'active' && openQuestions(stage, root).length === 0;
}

/** Over HTTP, deliveries go to one bot and to nobody else. */
function deliverTo(stage: Stage, { port }: RunningBot): void {
  if (port !== undefined) stage.sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
}

function deliverTwice(stage: Stage, root: Message): void {
  for (const delivery of stage.world.deliveriesOf(root)) void stage.world.duplicate(delivery);
}

/** Presses what can be pressed, twice at once, until there is nothing more to wait for. */
async function keepPressing(
  stage: Stage,
  root: Message,
  { verdict = 'approve', doubt = 'skip', inquiry = 'decline', patienceMs = PATIENCE_MS }: Walk,
  enough: () => boolean,
  what: string,
  bot: RunningBot,
): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  while (!enough()) {
    if (performance.now() > untilMs) {
      const said = stage.world.messages(root).map((message) => `${message.user}: ${message.text}`);
      throw new Error([`Not seen: ${what}`, ...said, ...bot.log().split('\n').slice(-25)].join('\n'));
    }
    const [card] = openCards(stage, root);
    if (card !== undefined && verdict !== 'nobody') await pressTwice(stage, card, `approval_${verdict}`);
    const asked = openInquiries(stage, root)[0];
    if (asked !== undefined && inquiry !== 'nobody') await pressTwice(stage, asked, 'inquiry_decline');
    const lost = openDoubts(stage, root)[0];
    if (lost !== undefined && doubt !== 'nobody') await pressTwice(stage, lost, `doubt_${doubt}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Its buttons may be gone between the look and the press. */
async function pressTwice(stage: Stage, card: Message, action: string): Promise<void> {
  await Promise.all([1, 2].map(() => stage.world.press(ANN, card, action).catch(() => {})));
}

const openInquiries = (stage: Stage, root: Message) =>
  stage.world.messages(root).filter((message) => draws(message, 'inquiry_decline'));

const openQuestions = (stage: Stage, root: Message) => [
  ...openCards(stage, root),
  ...openDoubts(stage, root),
  ...openInquiries(stage, root),
];
