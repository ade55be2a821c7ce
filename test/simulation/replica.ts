import type { WebClient } from '@slack/web-api';
import type { Core } from '../../app/assembly/index.ts';
import { assemble } from '../../app/assembly/index.ts';
import { LIMITS } from '../../app/limits.ts';
import type { Log } from '../../app/log.ts';
import type { ThreadKey } from '../../app/records/index.ts';
import { createRedaction } from '../../app/secrets/redaction.ts';
import { createClaims } from '../../app/work/claims.ts';
import { createSweep } from '../../app/work/sweep.ts';
import type { Work } from '../../app/work/work.ts';
import { createSurface } from '../../handlers/thread/thread.ts';
import { offers } from '../../handlers/views/card/offers.ts';
import { BEN, TEAM } from '../../sandbox/people.ts';
import { createBorder, createPause } from './border.ts';
import type { Process } from './schedule.ts';
import { failFastStore, patientStore } from './store.ts';
import type { Deployment, World } from './world.ts';

/** One process of the bot: the real parts that decide, between simulated borders. */
export interface Replica {
  readonly process: Process;
  /** Whether the process takes deliveries and jobs. A dead process and one that stops do not. */
  readonly isServing: () => boolean;
  readonly core: Core;
  readonly client: WebClient;
  /** A job of the queue reached it. */
  readonly job: (thread: ThreadKey) => void;
  /** The process lets go of its work at the next safe point. */
  readonly stop: () => void;
}

/** A run of a simulated night has some thousand characters. */
const KEPT_CHARS = [0, 6_000, LIMITS.foldedChars] as const;

/** The clock of this process differs from the store's. Only the store's clock decides. */
const MOST_SKEW_MS = 90_000;

export async function startReplica(world: World, name: string): Promise<Replica> {
  const { schedule, chance, store: shared, slack, deployments, isChanging } = world;
  const process: Process = { name, alive: true, paused: false, losses: 0 };
  const across = createBorder(world, process);
  const step = createPause(schedule, process);
  const skewMs = chance.below(2 * MOST_SKEW_MS) - MOST_SKEW_MS;
  const drift = isChanging ? (chance.below(200) - 100) / 10_000 : 0;
  const bornMs = Date.now();
  const clock = { now: () => Date.now() + skewMs + drift * (Date.now() - bornMs) };
  const store = patientStore(shared, across, process);
  const log = logOf(world, name);
  const { config, tools } = (deployments.length > 1 ? chance.pick(deployments) : undefined) ?? onlyOf(deployments);
  const client = slack.clientOf(across, process);
  let entries = 0;

  const core: Core = assemble({
    config,
    store,
    tools,
    toolServers: [],
    log,
    step,
    clock,
    failFast: failFastStore(shared, across, process),
    surface: {
      ...createSurface({ client, log, clock, fileLimits: NO_FILES }),
      paintingHeld: () => new Promise(() => {}),
      readFile: async () => ({ type: 'unreadable', why: 'is not there' }),
    },
    people: {
      account: async () => 'person',
      isInGroup: async () => false,
      isAdmin: async () => true,
      // The approver of guarded calls does not read the thread, so the bot also tells this person directly.
      isInChannel: async ({ user }) => user !== BEN,
      members: async () => undefined,
    },
    model: (request, context) =>
      across(
        'the model',
        () => {
          world.asked.push(process);
          return world.answer(request, context);
        },
        () => {
          process.losses += 1;
          return new Error('The model did not answer.');
        },
      ),
    work: { kick: (...about) => work.kick(...about), hold: (thread) => work.hold(thread) },
    redaction: createRedaction({ settings: config.redact, key: KEY }),
    // Nothing may depend on a fold that is kept: some processes keep none, or one or two.
    foldedChars: chance.pick(KEPT_CHARS) ?? 0,
    schemaProblem: async () => undefined,
    views: offers,
    appended: () => {},
    entryId: () => {
      entries += 1;
      return `${name}-${entries}`;
    },
    elapsed: () => performance.now() * (1 + drift),
    timers: {
      after: (delayMs, fire) => {
        const timer = setTimeout(fire, delayMs);
        return () => clearTimeout(timer);
      },
    },
  });
  if (isChanging) void core.recordConfiguration(TEAM);
  const { runs } = core;
  const work = createWork(world, process, {
    store,
    log,
    ...{ by: name, advance: runs.advance, rest: runs.rest, setAside: runs.setAside },
    onDue: core.onDue,
  });

  await store.watch({ onHint: runs.onHint, onGap: runs.onGap });
  work.start();
  const timers = [
    setInterval(runs.onGap, LIMITS.reconcileMs),
    setInterval(() => runs.parkWaiting(config.times.hotMs), LIMITS.reconcileMs),
  ];
  let isStopping = false;
  return {
    process,
    client,
    isServing: () => process.alive && !process.paused && !isStopping,
    core,
    job: work.job,
    stop: () => {
      isStopping = true;
      process.losses += 1;
      for (const timer of timers) clearInterval(timer);
      runs.parkAll();
      void work.close(LIMITS.shutdownMs).then(() => {
        process.alive = false;
      });
    },
  };
}

function onlyOf([first]: readonly Deployment[]): Deployment {
  if (first === undefined) throw new Error('This world has no deployment.');
  return first;
}

/** Works like the engine with a queue. The queue gives a thread to a random process: late, twice or never. */
function createWork(
  world: World,
  process: Process,
  deps: Omit<Parameters<typeof createSweep>[0], 'claimMs' | 'onThreads' | 'beat'> &
    Pick<Parameters<typeof createClaims>[0], 'advance' | 'rest' | 'setAside' | 'by'>,
): Work & { readonly job: (thread: ThreadKey) => void } {
  const { queue } = world.store;
  const hands = createClaims({
    ...deps,
    isAlone: false,
    isSteady: () => sweep.isSteady(),
    onTrouble: (error) => sweep.noteTrouble(error),
  });
  const job = (thread: ThreadKey): void => void hands.take(thread);
  const kick = (thread: ThreadKey): void => {
    if (hands.has(thread)) void hands.take(thread);
    else queue.push(thread);
  };
  const sweep = createSweep({ ...deps, claimMs: 0, onThreads: (threads) => threads.forEach(kick), beat: hands.beat });
  return {
    job,
    kick: (thread, inMs = 0) =>
      void (inMs === 0 ? kick(thread) : setTimeout(() => process.alive && kick(thread), inMs)),
    hold: hands.hold,
    start: sweep.start,
    close: (limitMs) => {
      sweep.stop();
      return hands.close(limitMs).finally(sweep.end);
    },
  };
}

function logOf({ schedule, errors }: World, name: string): Log {
  const note = (level: string) => (message: string, about?: object) => {
    const why = about !== undefined && 'error' in about ? ` (${about.error})` : '';
    schedule.note(`${name} ${level}: ${message}${why}`);
    if (level === 'error') errors.push(`${name}: ${message}${why}`);
  };
  return { debug: () => {}, info: note('info'), warn: note('warn'), error: note('error') };
}

const KEY = new Uint8Array(32);
const NO_FILES = { picture: 0, document: 0, text: 0 };
