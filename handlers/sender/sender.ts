import { createHash } from 'node:crypto';
import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';
import { createLanes, type LaneOf } from './lanes.ts';
import { createLastShown, NOTHING_KNOWN } from './last-shown.ts';
import { createSending, type Lookout, pump, type Sending, type Time, tellHeld } from './pump.ts';
import { type Job, type Listener, refuse } from './queue.ts';
import { type MethodPolicy, policyOf, wantedOf } from './rates.ts';

/**
 * Sends every call of one workspace. It keeps to Slack's rates, sends the answer to a press before what only pleases the
 * eye, pauses nothing but the lane that got a 429, and sends nothing twice that people would see twice.
 */
export interface Sender {
  readonly send: <Answer>(call: SenderCall<Answer>) => Promise<Answer>;
  /** Resolves once a call that shows the same as this one waits for Slack's rate, or when the signal ends the wait. */
  readonly held: (call: Pick<SenderCall<unknown>, 'method' | 'args'>, signal: AbortSignal) => Promise<void>;
  /** Gives up what is only cosmetic, and resolves when the rest was sent. */
  readonly drain: () => Promise<void>;
  /** Rejects every waiting call and every later one with this error. */
  readonly shut: (why: Error) => void;
}

export interface SenderCall<Answer> {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Makes one request. It repeats nothing, and rejects where Slack limits the rate. */
  readonly run: () => Promise<Answer>;
}

const STOPPING = 'the bot is stopping';

const realTime: Time = {
  now: () => performance.now(),
  after: systemTimers.after,
};

export interface SenderDeps {
  readonly log: Log;
  readonly time?: Time;
  /** No other process writes to this workspace, so an edit that shows nothing new is not sent. */
  readonly isAlone?: boolean | undefined;
}

export function createSender({ log, time = realTime, isAlone = false }: SenderDeps): Sender {
  const sending = createSending(log, time, isAlone ? createLastShown() : NOTHING_KNOWN);
  const laneOf = createLanes(time.now);
  let numbers = 0;
  return {
    send: <Answer>(call: SenderCall<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        numbers += 1;
        // Only a call of the same method takes the place of a call, so its answer has the same type.
        const listener: Listener = { resolve: (answer) => resolve(answer as Answer), reject };
        takeOn(sending, newJob(call, { number: numbers, laneOf, sinceMs: time.now(), listener }));
      }),
    held: (call, signal) => new Promise((resolve) => lookOut(sending, call, { signal, resolve })),
    drain: () => new Promise((resolve) => drain(sending, resolve)),
    shut: (why) => shut(sending, why),
  };
}

function newJob(
  { method, args, run }: SenderCall<unknown>,
  {
    number,
    laneOf,
    sinceMs,
    listener,
  }: Pick<Job, 'number' | 'sinceMs'> & { readonly laneOf: LaneOf; readonly listener: Listener },
): Job {
  const policy = policyOf(method, args);
  return {
    number,
    method,
    policy,
    lane: laneOf(policy.apart === undefined ? method : `${method} ${String(args[policy.apart])}`, policy),
    same: sameOf(policy, { method, args }),
    sinceMs,
    wanted: wantedOf(args),
    shows:
      policy.rank === 'card' || method === 'chat.update'
        ? createHash('sha256').update(JSON.stringify(args)).digest('base64')
        : undefined,
    run,
    listeners: [listener],
    tries: 0,
    sentAtMs: 0,
    notBeforeMs: 0,
  };
}

const sameOf = (
  { newest }: MethodPolicy,
  { method, args }: Pick<SenderCall<unknown>, 'method' | 'args'>,
): string | undefined => newest && [method, ...newest.map((name) => String(args[name]))].join(' ');

function lookOut(
  sending: Sending,
  call: Pick<SenderCall<unknown>, 'method' | 'args'>,
  { signal, resolve }: { readonly signal: AbortSignal; readonly resolve: () => void },
): void {
  const { whenHeld, time } = sending;
  const end = () => {
    whenHeld.delete(lookout);
    signal.removeEventListener('abort', end);
    resolve();
  };
  const lookout: Lookout = { same: sameOf(policyOf(call.method, call.args), call), tell: end };
  whenHeld.add(lookout);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  else tellHeld(sending, time.now());
}

function takeOn(sending: Sending, job: Job): void {
  const { draining, shutFor, waiting } = sending;
  if (shutFor !== undefined) {
    for (const { reject } of job.listeners) reject(shutFor);
    return;
  }
  if (draining && job.policy.rank === 'cosmetic') refuse(job, STOPPING);
  else waiting.add(job);
  job.wanted?.addEventListener('abort', () => pump(sending), { once: true });
  pump(sending);
}

function drain(sending: Sending, onIdle: () => void): void {
  sending.draining = true;
  sending.waiting.dropCosmetic(STOPPING);
  sending.whenIdle.push(onIdle);
  pump(sending);
}

function shut(sending: Sending, why: Error): void {
  const { waiting } = sending;
  sending.shutFor = why;
  for (const job of waiting.all()) {
    waiting.takeOut(job);
    for (const { reject } of job.listeners) reject(why);
  }
  pump(sending);
}
