import { SlackBusyError } from './errors.ts';
import type { Lane } from './lane.ts';
import { type MethodPolicy, RANKS, type Rank } from './rates.ts';

/** A call that has not been answered yet. */
export interface Job {
  /** Counts the calls in the order in which they were asked for. */
  readonly number: number;
  readonly method: string;
  readonly policy: MethodPolicy;
  readonly lane: Lane;
  /** Equal for calls that show the same thing. Only the newest of them is sent. */
  readonly same: string | undefined;
  readonly sinceMs: number;
  /** Once it is aborted, the call is not sent any more. */
  readonly wanted: AbortSignal | undefined;
  /** All that an edit shows. */
  shows: string | undefined;
  run: () => Promise<unknown>;
  listeners: readonly Listener[];
  tries: number;
  sentAtMs: number;
  notBeforeMs: number;
}

export interface Listener {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits to be sent, the most urgent first. It never grows beyond its bound. */
export interface Queue {
  readonly add: (job: Job) => void;
  /** Puts a failed call back in its old place. A newer one that shows the same is sent instead of it. */
  readonly giveBack: (job: Job) => void;
  readonly takeOut: (job: Job) => void;
  readonly all: () => readonly Job[];
  readonly dropCosmetic: (why: string) => void;
}

/** The bound of each rank. Beyond it, a call is refused. */
const MOST_WAITING = 1_000;

export function createQueue(): Queue {
  const ranks = new Map<Rank, Job[]>(RANKS.map((rank) => [rank, []]));
  const queueOf = ({ policy }: Job): Job[] => ranks.get(policy.rank) ?? [];

  const takeOut = (job: Job): void => {
    const queue = queueOf(job);
    const at = queue.indexOf(job);
    if (at >= 0) queue.splice(at, 1);
  };
  const sameAs = (job: Job): Job | undefined =>
    job.same === undefined ? undefined : queueOf(job).find(({ same }) => same === job.same);

  return {
    takeOut,
    add: (job) => {
      const queue = queueOf(job);
      const older = sameAs(job);
      if (older !== undefined) {
        older.run = job.run;
        older.shows = job.shows;
        older.listeners = [...older.listeners, ...job.listeners];
        return;
      }
      if (job.policy.rank === 'cosmetic') makeRoom(queue, job);
      else if (queue.length >= MOST_WAITING) return refuse(job, `${MOST_WAITING} others wait already`);
      queue.push(job);
    },
    giveBack: (job) => {
      const newer = sameAs(job);
      if (newer !== undefined) {
        newer.listeners = [...newer.listeners, ...job.listeners];
        return;
      }
      const queue = queueOf(job);
      const at = queue.findIndex(({ number }) => number > job.number);
      queue.splice(at < 0 ? queue.length : at, 0, job);
    },
    all: () => RANKS.flatMap((rank) => ranks.get(rank) ?? []),
    dropCosmetic: (why) => {
      for (const job of ranks.get('cosmetic')?.splice(0) ?? []) refuse(job, why);
    },
  };
}

/** A cosmetic call waits for a shorter time than a window, so more of them than Slack takes in one would wait in vain. */
function makeRoom(queue: Job[], { lane, policy }: Job): void {
  const alike = queue.filter((job) => job.lane === lane);
  const [oldest] = alike;
  if (alike.length < policy.window.most || oldest === undefined) return;
  queue.splice(queue.indexOf(oldest), 1);
  refuse(oldest, 'newer ones took its place');
}

/** Rejects a call that was never sent, so that nothing is in doubt. */
export function refuse({ method, listeners }: Job, why: string): void {
  for (const { reject } of listeners) reject(new SlackBusyError(method, why));
}
