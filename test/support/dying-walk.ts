import { expect } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { aWhile, mention, openStage, type RunningBot, type Stage } from './bot.ts';
import { auditOf, type History, historyOf } from './history.ts';
import { brokenRules } from './invariants.ts';
import { createRestWatch, deliverTo, deliverTwice, isOver, keepPressing, type Pressing } from './pressing.ts';

/** How one walk through the bot goes, and where bots die on the way. */
export interface Walk extends Pressing {
  /** One bot dies at each, one after the other; the last one, which sees it to the end, is not named here. */
  readonly dieAt: readonly string[];
  /** Each of them is told to stop when it comes there, and dies while it does. */
  readonly whileStopping?: true;
  /** Another replica takes over that was there all the time. Answers with another empty database each time. */
  readonly freshDatabase?: () => string;
  /** And one of those that died is started again beside it. */
  readonly alsoRestarts?: true;
  readonly text?: string;
  /** The model speaks slowly, so people read along. */
  readonly slowly?: true;
  /** No person presses while the other bots live. */
  readonly onlyLastIsPressed?: true;
  /** No person presses while the first bot lives: it could take the decision at which the next bot is to die. */
  readonly firstIsNotPressed?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxOptions;
  /** Writes what the bots are to find in their folder; answers with more for their environment. */
  readonly prepare?: (dataDir: string) => Readonly<Record<string, string>>;
  /** What else people do while the first bot lives. */
  readonly meanwhile?: (stage: Stage, root: SlackMessage, first: RunningBot) => Promise<void>;
  /** What people do when the last bot is there. */
  readonly afterwards?: (stage: Stage, root: SlackMessage) => Promise<void>;
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

/**
 * Walks from a message to the last reply with everything doubled: each delivery comes twice, each button is pressed
 * twice at once. Answers with what is left when all bots are dead, and fails if any rule is broken. With a replica beside
 * it, the bot that is to die does not always get the work: where the walk came to its end without it, it is tried again.
 */
export async function dyingWalk(walk: Walk): Promise<Walked> {
  const step = walk.dieAt.join(' and then ');
  const ends: string[] = [];
  while (ends.length < MOST_TRIES) {
    const walked = await tryWalk(walk);
    if ('before' in walked) {
      if (ends.length > 0) process.stdout.write(`${step}: tried again ${ends.length} times. ${ends.join(' ')}\n`);
      return walked;
    }
    ends.push(walked.end);
  }
  throw new Error(`No bot died at ${step} in ${MOST_TRIES} tries. Does a walk come there?\n${ends.join('\n')}`);
}

const MOST_TRIES = 5;

/** A walk that came to its end and did not pass the step of the first bot. */
interface PassedBy {
  readonly end: string;
}

async function tryWalk(walk: Walk): Promise<Walked | PassedBy> {
  // What is left of a try in which no bot died is work for the bots of the next.
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
    const walking = { walk, stage, start: starting(walk, stage) };
    const begun = await untilFirstDeath(walking);
    return 'end' in begun ? begun : await untilTheEnd(walking, begun);
  } finally {
    await stage.close();
  }
}

interface Walking {
  readonly walk: Walk;
  readonly stage: Stage;
  /** Starts a bot that dies at this step; without one it lives. */
  readonly start: (step: string | undefined) => Promise<RunningBot>;
}

function starting(walk: Walk, stage: Stage): Walking['start'] {
  const env = { ...walk.env, ...walk.prepare?.(stage.dataDir) };
  return (step) =>
    stage.startBot({
      env,
      http: stage.redisUrl !== undefined,
      whileStopping: walk.whileStopping === true,
      ...(step === undefined ? {} : { dieAt: step }),
    });
}

/** What people do while bots die. Their patience is their own: that of the walk is for its end. */
function early({ onlyLastIsPressed, patienceMs: _, ...walk }: Walk): Pressing {
  return onlyLastIsPressed === true ? unpressed(walk) : walk;
}

const unpressed = (pressing: Pressing): Pressing => ({ ...pressing, verdict: 'nobody', doubt: 'nobody' });

interface Begun {
  readonly root: SlackMessage;
  readonly first: RunningBot;
  /** Was there all the time. */
  readonly replica: RunningBot | undefined;
}

/** Until the first bot has died at its step, or the walk has passed it by. A hang is neither, and rejects. */
async function untilFirstDeath({ walk, stage, start }: Walking): Promise<Begun | PassedBy> {
  const [firstStep, nextStep] = walk.dieAt;
  // The queue gives work to the process that has waited longest, and that is the one that is to die.
  const first = await start(firstStep);
  const replica = stage.redisUrl === undefined ? undefined : await start(nextStep);
  deliverTo(stage, first);
  const root = await mention(stage, ANN, walk.text ?? 'restart the payments service');
  deliverTwice(stage, root);
  const meanwhile = beginMeanwhile(walk, stage, root, first);
  const pressing = walk.firstIsNotPressed === true ? unpressed(early(walk)) : early(walk);
  const isAtRest = createRestWatch(stage, root, pressing);
  const seen = () => !first.isAlive() || (meanwhile.hasEnded() && replica !== undefined && isAtRest());
  await keepPressing(stage, root, pressing, { what: `the bot dies at ${firstStep}`, seen, bot: first });

  if (first.isAlive()) return { end: `The thread came to rest, and the bot did not die at ${firstStep}.` };
  // One that is told to stop from outside may be gone before it comes to the step; from inside it is told there.
  if ((await first.gone) !== null && walk.whileStopping !== true)
    return { end: `The bot had stopped before it came to ${firstStep}.` };
  return { root, first, replica };
}

/** What people do while the first bot lives. `hasEnded` throws what went wrong in it, unless the bot has died of its step. */
function beginMeanwhile({ meanwhile }: Walk, stage: Stage, root: SlackMessage, first: RunningBot) {
  let ended = meanwhile === undefined;
  let problem: { readonly cause: unknown } | undefined;
  meanwhile?.(stage, root, first)
    .catch(async (cause: unknown) => {
      // What people wait for never comes from a bot that has died, and the death is heard of a little later.
      await Promise.race([first.gone, aWhile(1_000)]);
      if (first.isAlive()) problem = { cause };
    })
    .finally(() => {
      ended = true;
    });
  return {
    hasEnded: () => {
      if (problem !== undefined) throw new Error(`What people did meanwhile went wrong: ${problem.cause}`, problem);
      return ended;
    },
  };
}

/** The other bots die as well, and the last one sees the walk to its end. */
async function untilTheEnd({ walk, stage, start }: Walking, { root, first, replica }: Begun): Promise<Walked> {
  const [, ...laterSteps] = walk.dieAt;
  const before = [await historyOf(stage, root)];
  let last = replica ?? (await start(laterSteps[0]));
  for (const [index, step] of laterSteps.entries()) {
    deliverTo(stage, last);
    const doomed = last;
    const seen = () => !doomed.isAlive();
    await keepPressing(stage, root, early(walk), { what: `the next bot dies at ${step}`, seen, bot: doomed });
    before.push(await historyOf(stage, root));
    last = await start(laterSteps[index + 1]);
  }
  // Not before all of those have died who are to: it might take their work.
  const restarted = walk.alsoRestarts === true ? await start(undefined) : undefined;

  deliverTo(stage, last);
  deliverTwice(stage, root);
  await walk.afterwards?.(stage, root);
  const seen = () => isOver(stage, root, walk.ends);
  // What was never seen is mostly explained by the rules that are broken.
  const unseen = await keepPressing(stage, root, walk, { what: `the bot says ${walk.ends}`, seen, bot: last }).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  await Promise.all([last.kill(), restarted?.kill()]);

  const history = await historyOf(stage, root);
  const streaming = walk.dieAt.filter((step) => step.startsWith('model-streaming')).length;
  const cutTurns = streaming + (walk.cutTurns ?? 0);
  const broken = [...brokenRules({ history, before, cutTurns }), ...(await auditOf(stage)), ...unseen];
  expect(broken, broken.length === 0 ? '' : storyOf(history, { first, last })).toEqual([]);
  return { history, before };
}

/** What to read when a rule was broken, which may be seldom: who wrote what and when, and what the bots said of it. */
function storyOf({ runs }: History, bots: Readonly<Record<string, RunningBot>>): string {
  const lines = runs.flatMap(({ run, entries }) => entries.map((entry) => `${run} ${JSON.stringify(entry)}`));
  const logs = Object.entries(bots).flatMap(([name, bot]) => [`--- ${name}, ${bot.pid}`, bot.log()]);
  return ['', ...lines, ...logs].join('\n');
}
