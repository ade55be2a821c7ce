import type { Log } from '../../app/log.ts';
import { systemTimers } from '../../app/time/index.ts';
import { createLanes, type LaneOf } from './lanes.ts';
import { createSending, pump, type Sending, type Time } from './pump.ts';
import { type Job, type Listener, refuse } from './queue.ts';
import { policyOf } from './rates.ts';

/**
 * Sends every call of one workspace. It keeps to Slack's rates, sends the answer to a press before what only pleases the
 * eye, pauses nothing but the lane that got a 429, and sends nothing twice that people would see twice.
 */
export interface Sender {
  readonly send: <Answer>(call: SenderCall<Answer>) => Promise<Answer>;
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

export function createSender({ log, time = realTime }: { readonly log: Log; readonly time?: Time }): Sender {
  const sending = createSending(log, time);
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
    same: policy.newest && [method, ...policy.newest.map((name) => String(args[name]))].join(' '),
    sinceMs,
    run,
    listeners: [listener],
    tries: 0,
    sentAtMs: 0,
    notBeforeMs: 0,
  };
}

function takeOn(sending: Sending, job: Job): void {
  const { draining, shutFor, waiting } = sending;
  if (shutFor !== undefined) {
    for (const { reject } of job.listeners) reject(shutFor);
    return;
  }
  if (draining && job.policy.rank === 'cosmetic') refuse(job, STOPPING);
  else waiting.add(job);
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
