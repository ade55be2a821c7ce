import { SlackBusyError } from './errors.ts';
import type { Lane } from './lane.ts';
import { type MethodPolicy, RANKS, type Rank } from './rates.ts';

/** A call that has not been answered yet. */
export interface Job {
  /** Which one it is, in the order they were asked for. */
  readonly number: number;
  readonly method: string;
  readonly policy: MethodPolicy;
  readonly lane: Lane;
  /** What shows the same thing has the same; of those only the newest is sent. */
  readonly same: string | undefined;
  readonly sinceMs: number;
  run: () => Promise<unknown>;
  listeners: readonly Listener[];
  tries: number;
  notBeforeMs: number;
}

export interface Listener {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits to be sent, the most urgent first. It never grows beyond its bound. */
export interface Queue {
  readonly add: (job: Job) => void;
  /** It was tried and waits again, in its old place; a newer one that shows the same is sent in its stead. */
  readonly giveBack: (job: Job) => void;
  readonly takeOut: (job: Job) => void;
  readonly all: () => readonly Job[];
  readonly dropCosmetic: (why: string) => void;
}

/** Of each rank. More, and the oldest of what is cosmetic is given up; anything else is refused, and stays owed. */
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
        older.listeners = [...older.listeners, ...job.listeners];
        return;
      }
      const [oldest] = queue;
      if (queue.length >= MOST_WAITING && oldest !== undefined) {
        if (job.policy.rank !== 'cosmetic') {
          refuse(job, `${MOST_WAITING} others wait already`);
          return;
        }
        takeOut(oldest);
        refuse(oldest, 'newer ones took its place');
      }
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

/** Nothing was sent, so nothing is in doubt. */
export function refuse({ method, listeners }: Job, why: string): void {
  for (const { reject } of listeners) reject(new SlackBusyError(method, why));
}
