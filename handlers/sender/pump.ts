import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import { mayHaveArrived } from './errors.ts';
import type { Lane } from './lane.ts';
import type { LastShown } from './last-shown.ts';
import { createQueue, type Job, type Queue, refuse } from './queue.ts';
import type { Rank } from './rates.ts';
import { createRefusalLog, type RefusalLog } from './refusal-log.ts';

/** Starts the waiting calls of one workspace when their lanes are free, and decides which failed calls run again. */

export interface Time {
  readonly now: () => number;
  readonly after: (ms: number, fire: () => void) => () => void;
}

/** The calls of one workspace that wait or are in flight. */
export interface Sending {
  readonly log: Log;
  readonly refusals: RefusalLog;
  readonly lastShown: LastShown;
  readonly time: Time;
  readonly waiting: Queue;
  readonly inFlight: Set<Job>;
  /** Called when nothing waits and nothing is in flight. */
  readonly whenIdle: (() => void)[];
  /** Called when a call of theirs waits for Slack's rate. */
  readonly whenHeld: Set<Lookout>;
  draining: boolean;
  shutFor: Error | undefined;
  cancelWake: () => void;
}

/** Looks out for the calls that show the same thing. */
export interface Lookout {
  readonly same: string | undefined;
  readonly tell: () => void;
}

/** A person pressed or wrote, and waits for these. */
const URGENT: readonly Rank[] = ['opening', 'answer', 'message'];

/** Bounds every other call, so that answers still find a way while Slack hangs. */
const MOST_IN_FLIGHT = 40;
const MOST_TRIES = 3;
const BACK_OFF_MS = 300;
/** While Slack takes no card, a card is tried this often, so that it shows the truth within a second of Slack taking it. */
const LONGEST_CARD_PAUSE_MS = 900;
/** No call waits longer: the presser has gone by then, and what is owed is tried again later. */
const PATIENCE_MS: Readonly<Record<Rank, number>> = {
  /** A trigger is dead by then. */
  opening: 3_000,
  answer: 30_000,
  card: 120_000,
  speech: 120_000,
  lookup: 120_000,
  message: 30_000,
  cosmetic: 20_000,
};

export function createSending(log: Log, time: Time, lastShown: LastShown): Sending {
  return {
    log,
    lastShown,
    refusals: createRefusalLog(log),
    time,
    waiting: createQueue(),
    inFlight: new Set(),
    whenIdle: [],
    whenHeld: new Set(),
    draining: false,
    shutFor: undefined,
    cancelWake: () => {},
  };
}

/** Starts every call that may go now, the most urgent first, and sets a timer for the next. */
export function pump(sending: Sending): void {
  sending.cancelWake();
  const { time, waiting, inFlight, whenIdle } = sending;
  const nowMs = time.now();
  const wakeAtMs = startWhatMayGo(sending, nowMs);
  tellHeld(sending, nowMs);
  if (inFlight.size === 0 && waiting.all().length === 0) for (const tell of whenIdle.splice(0)) tell();
  sending.cancelWake =
    wakeAtMs === Number.POSITIVE_INFINITY ? () => {} : time.after(Math.max(1, wakeAtMs - nowMs), () => pump(sending));
}

/** A call that Slack had trouble with does not count: it is soon tried again. */
export function tellHeld({ waiting, whenHeld }: Sending, nowMs: number): void {
  if (whenHeld.size === 0) return;
  const held = waiting
    .all()
    .filter(({ lane, policy }) => !lane.isTroubled() && lane.freeAtMs(nowMs, policy.leaves) > nowMs);
  for (const { same, tell } of [...whenHeld]) if (held.some((job) => job.same === same)) tell();
}

/** Returns when to look again. */
function startWhatMayGo(sending: Sending, nowMs: number): number {
  const { waiting, inFlight } = sending;
  const closed = new Set<Lane>();
  const shown = new Set([...inFlight].map(({ same }) => same));
  let wakeAtMs = Number.POSITIVE_INFINITY;
  for (const job of waiting.all()) {
    const tooLateMs = job.sinceMs + PATIENCE_MS[job.policy.rank];
    if (nowMs >= tooLateMs) {
      waiting.takeOut(job);
      refuse(job, 'it waited too long in its lane');
      continue;
    }
    if (job.wanted?.aborted === true) {
      waiting.takeOut(job);
      refuse(job, 'it was stopped before its turn came');
      continue;
    }
    wakeAtMs = Math.min(wakeAtMs, tooLateMs);
    // The older of two calls that show the same may still be in flight, and it must not arrive last.
    if (job.same !== undefined && shown.has(job.same)) continue;
    if (isAnswered(sending, job) || closed.has(job.lane)) continue;
    if (!URGENT.includes(job.policy.rank) && lessUrgentInFlight(sending) >= MOST_IN_FLIGHT) continue;
    if (job.lane.isTroubled() && !isNext(sending, job, nowMs)) continue;
    const freeAtMs = job.lane.freeAtMs(nowMs, job.policy.leaves);
    // A later call does not overtake an earlier one in its lane.
    if (freeAtMs > nowMs) closed.add(job.lane);
    const atMs = Math.max(freeAtMs, job.notBeforeMs);
    if (atMs <= nowMs) {
      shown.add(job.same);
      void start(sending, job);
    } else if (job.policy.impatient) rejectImpatient(sending, job, atMs - nowMs);
    else wakeAtMs = Math.min(wakeAtMs, atMs);
  }
  return wakeAtMs;
}

/** Answers an edit that shows nothing new. No other edit of the same place is on its way. */
function isAnswered({ waiting, lastShown }: Sending, job: Job): boolean {
  const known = lastShown.answerTo(job);
  if (known === undefined) return false;
  waiting.takeOut(job);
  for (const { resolve } of job.listeners) resolve(known.answer);
  return true;
}

/** While Slack has trouble, a lane sends one call at a time. A call that failed lets the others go first, as only it may fail. */
function isNext({ waiting, inFlight }: Sending, { lane, tries }: Job, nowMs: number): boolean {
  const others = waiting.all().filter((other) => other.lane === lane && other.notBeforeMs <= nowMs);
  return ![...inFlight].some((sent) => sent.lane === lane) && !others.some((other) => other.tries < tries);
}

function lessUrgentInFlight({ inFlight }: Sending): number {
  return [...inFlight].filter(({ policy }) => !URGENT.includes(policy.rank)).length;
}

function rejectImpatient({ waiting }: Sending, job: Job, waitMs: number): void {
  waiting.takeOut(job);
  for (const { reject } of job.listeners) reject(new WebAPIRateLimitedError(Math.ceil(waitMs / 1_000)));
}

async function start(sending: Sending, job: Job): Promise<void> {
  const { waiting, inFlight, refusals, lastShown, time } = sending;
  waiting.takeOut(job);
  inFlight.add(job);
  job.sentAtMs = time.now();
  job.lane.sent(job.sentAtMs);
  job.tries += 1;
  try {
    const answer = await job.run();
    refusals.taken(job.method);
    job.lane.answered();
    lastShown.taken(job, answer);
    for (const { resolve } of job.listeners) resolve(answer);
    // Some failures are tried again. Every other one goes to the callers.
  } catch (error) {
    refusals.refused(job.method, error);
    lastShown.unsure(job);
    if (sending.shutFor === undefined && mayTryAgain(sending, job, error)) waiting.giveBack(job);
    else for (const { reject } of job.listeners) reject(error);
  } finally {
    inFlight.delete(job);
    pump(sending);
  }
}

/** Nothing was done where Slack limits the rate. Where its answer was lost, only a repeatable call is repeated. */
function mayTryAgain({ log, time }: Sending, job: Job, error: unknown): boolean {
  const nowMs = time.now();
  const isCard = job.policy.rank === 'card';
  const longestMs = isCard ? LONGEST_CARD_PAUSE_MS : Number.POSITIVE_INFINITY;
  const backOffMs = Math.min(BACK_OFF_MS * 2 ** Math.min(job.tries - 1, 4), longestMs);
  const isPatient = (untilMs: number) => untilMs < job.sinceMs + PATIENCE_MS[job.policy.rank];
  if (error instanceof WebAPIRateLimitedError) {
    const pauseMs = Math.max(error.retryAfter * 1_000, backOffMs);
    log.info('Slack wants less of this', { method: job.method, pauseMs });
    job.lane.pauseUntil(nowMs + pauseMs);
    return !job.policy.impatient && isPatient(nowMs + pauseMs);
  }
  job.notBeforeMs = nowMs + backOffMs;
  if (!mayHaveArrived(error)) job.lane.answered();
  else if (isCard) {
    job.lane.troubled(job.sentAtMs, nowMs + BACK_OFF_MS);
    return isPatient(job.notBeforeMs);
  }
  return mayHaveArrived(error) && job.policy.repeatable && job.tries < MOST_TRIES;
}
