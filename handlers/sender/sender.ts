import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';
import { isDoubtful } from './errors.ts';
import { createLane, type Lane } from './lane.ts';
import { createQueue, type Job, refuse } from './queue.ts';
import { type MethodPolicy, policyOf, type Rank } from './rates.ts';

/**
 * All that one workspace is sent goes through here. It keeps to Slack's rates, lets the answer to a press overtake what only
 * pleases the eye, waits out a 429 for what caused it and nothing else, and sends nothing twice that would be seen twice.
 */
export interface Sender {
  readonly send: <Answer>(call: Call<Answer>) => Promise<Answer>;
  /** Gives up what is only cosmetic, and resolves when the rest was sent. */
  readonly drain: () => Promise<void>;
  /** Nothing may be sent any more: what waits, and whatever comes, is refused for this reason. */
  readonly shut: (why: Error) => void;
}

export interface Call<Answer> {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** One request. It does not repeat itself, and says so when Slack wants less. */
  readonly run: () => Promise<Answer>;
}

export interface Time {
  readonly now: () => number;
  readonly after: (ms: number, fire: () => void) => () => void;
}

/** Answers to presses always find a way; the rest must not take it from them while Slack hangs. */
const MOST_IN_FLIGHT = 40;
const MOST_TRIES = 3;
const BACK_OFF_MS = 300;
const MOST_LANES = 1_000;
/** Longer than this nothing waits: whoever pressed has gone, and what is owed is tried again later. */
const PATIENCE_MS: Readonly<Record<Rank, number>> = {
  answer: 30_000,
  card: 120_000,
  speech: 120_000,
  lookup: 120_000,
  cosmetic: 20_000,
};
const STOPPING = 'the bot is stopping';

const realTime: Time = {
  now: () => performance.now(),
  after: systemTimers.after,
};

export function createSender({ log, time = realTime }: { readonly log: Log; readonly time?: Time }): Sender {
  const waiting = createQueue();
  const lanes = new Map<string, Lane>();
  const inFlight = new Set<Job>();
  const whenIdle: (() => void)[] = [];
  let numbers = 0;
  let draining = false;
  let shutFor: Error | undefined;
  let cancelWake = () => {};

  const laneOf = (key: string, policy: MethodPolicy): Lane => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    if (lanes.size >= MOST_LANES) {
      for (const [name, lane] of lanes) if (lane.isIdle(time.now())) lanes.delete(name);
    }
    const lane = createLane(policy.window);
    lanes.set(key, lane);
    return lane;
  };

  const start = async (job: Job): Promise<void> => {
    waiting.takeOut(job);
    inFlight.add(job);
    job.lane.sent(time.now());
    job.tries += 1;
    try {
      const answer = await job.run();
      for (const { resolve } of job.listeners) resolve(answer);
    } catch (error) {
      if (shutFor === undefined && mayTryAgain(job, error)) waiting.giveBack(job);
      else for (const { reject } of job.listeners) reject(error);
    } finally {
      inFlight.delete(job);
      pump();
    }
  };

  /** After a rate limit we know that nothing was done; after a doubt only what is repeatable is repeated. */
  const mayTryAgain = (job: Job, error: unknown): boolean => {
    const nowMs = time.now();
    const backOffMs = BACK_OFF_MS * 2 ** Math.min(job.tries - 1, 4);
    if (error instanceof WebAPIRateLimitedError) {
      const pauseMs = Math.max(error.retryAfter * 1_000, backOffMs);
      log.info('Slack wants less of this', { method: job.method, pauseMs });
      job.lane.pauseUntil(nowMs + pauseMs);
      return !job.policy.impatient && nowMs + pauseMs < job.sinceMs + PATIENCE_MS[job.policy.rank];
    }
    job.notBeforeMs = nowMs + backOffMs;
    return isDoubtful(error) && job.policy.repeatable && job.tries < MOST_TRIES;
  };

  const others = (): number => [...inFlight].filter(({ policy }) => policy.rank !== 'answer').length;

  /** Starts all that may go now, the most urgent first, and asks to be woken for the next. */
  const pump = (): void => {
    cancelWake();
    const nowMs = time.now();
    const closed = new Set<Lane>();
    const shown = new Set([...inFlight].map(({ same }) => same));
    let wakeAtMs = Number.POSITIVE_INFINITY;
    for (const job of waiting.all()) {
      const { rank } = job.policy;
      const tooLateMs = job.sinceMs + PATIENCE_MS[rank];
      if (nowMs >= tooLateMs) {
        waiting.takeOut(job);
        refuse(job, 'it waited too long for its turn');
        continue;
      }
      wakeAtMs = Math.min(wakeAtMs, tooLateMs);
      // The older one of two that show the same may still arrive, and must not arrive last.
      if (closed.has(job.lane) || (job.same !== undefined && shown.has(job.same))) continue;
      if (rank !== 'answer' && others() >= MOST_IN_FLIGHT) break;
      const freeAtMs = job.lane.freeAtMs(nowMs);
      // Who comes later in a lane does not overtake.
      if (freeAtMs > nowMs) closed.add(job.lane);
      const atMs = Math.max(freeAtMs, job.notBeforeMs);
      if (atMs > nowMs && job.policy.impatient) {
        waiting.takeOut(job);
        for (const { reject } of job.listeners) reject(new WebAPIRateLimitedError(Math.ceil((atMs - nowMs) / 1_000)));
        continue;
      }
      if (atMs > nowMs) {
        wakeAtMs = Math.min(wakeAtMs, atMs);
        continue;
      }
      shown.add(job.same);
      void start(job);
    }
    if (inFlight.size === 0 && waiting.all().length === 0) for (const tell of whenIdle.splice(0)) tell();
    cancelWake = wakeAtMs === Number.POSITIVE_INFINITY ? () => {} : time.after(Math.max(1, wakeAtMs - nowMs), pump);
  };

  return {
    send: <Answer>({ method, args, run }: Call<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        const policy = policyOf(method, args);
        numbers += 1;
        const job: Job = {
          number: numbers,
          method,
          policy,
          lane: laneOf(policy.apart === undefined ? method : `${method} ${String(args[policy.apart])}`, policy),
          same: policy.newest && [method, ...policy.newest.map((name) => String(args[name]))].join(' '),
          sinceMs: time.now(),
          run,
          // What takes the place of a call is a call of the same method.
          listeners: [{ resolve: (answer) => resolve(answer as Answer), reject }],
          tries: 0,
          notBeforeMs: 0,
        };
        if (shutFor !== undefined) return reject(shutFor);
        if (draining && policy.rank === 'cosmetic') refuse(job, STOPPING);
        else waiting.add(job);
        pump();
      }),
    drain: () =>
      new Promise((resolve) => {
        draining = true;
        waiting.dropCosmetic(STOPPING);
        whenIdle.push(resolve);
        pump();
      }),
    shut: (why) => {
      shutFor = why;
      for (const job of waiting.all()) {
        waiting.takeOut(job);
        for (const { reject } of job.listeners) reject(why);
      }
      pump();
    },
  };
}
