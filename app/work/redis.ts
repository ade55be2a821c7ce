import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { refusalOf } from '../store/redis/index.ts';
import { createPlanned } from '../time/index.ts';
import { createClaims } from './claims.ts';
import { createSweep } from './sweep.ts';
import type { Work, WorkDeps } from './work.ts';

export interface QueueWorkDeps extends WorkDeps {
  /** The queue's own connection: it blocks, and waits through outages. */
  readonly connect: () => ConnectionOptions & { readonly disconnect: () => void };
}

const QUEUE = 'threads';
/** One hash tag, so that a Cluster keeps all of the queue on one node. */
const PREFIX = 'cs:{queue}';
/** A dead process is noticed after the lock and one look. No number of crashes makes the queue give up a thread. */
const LOCK_MS = 5_000;
const LOOK_MS = 1_000;
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * For any number of processes on one Redis: BullMQ chooses the replica. A job is only the name of a thread, and may be
 * lost, doubled or late. So a replica that gets one claims the thread in `todo` first, the sweep kicks due threads again,
 * and a replica with room takes a thread that the queue does not hand out.
 */
export function createQueueWork({ connect, ...deps }: QueueWorkDeps): Work {
  const { store, log } = deps;
  const delayed = createPlanned();
  /** Since when the sweep has found a thread due that no replica takes. */
  const overdue = new Map<ThreadKey, number>();
  const jobs = openJobs(connect, { log, claim: (thread) => claims.take(thread) });

  const claims = createClaims({
    ...deps,
    isAlone: false,
    isSteady: () => sweep.isSteady(),
    onTrouble: (error) => sweep.noteTrouble(error),
  });

  const kick = (thread: ThreadKey): void => {
    if (claims.has(thread)) void claims.take(thread);
    else jobs.add(thread);
  };

  /** Meanwhile a process may have taken the thread, which moves it forward in `todo`, or may have finished with it. */
  const kickIfDue = async (thread: ThreadKey): Promise<void> => {
    try {
      if (await store.claimThread(thread, 0, LIMITS.graceMs)) kick(thread);
      // The store is away. The thread is still in `todo`, so a sweep finds it again.
    } catch (error) {
      sweep.noteTrouble(error);
    }
  };

  const onThreads = (threads: readonly ThreadKey[]): void => {
    const nowMs = performance.now();
    for (const thread of overdue.keys()) if (!threads.includes(thread)) overdue.delete(thread);
    for (const thread of threads) {
      const sinceMs = overdue.get(thread) ?? nowMs;
      overdue.set(thread, sinceMs);
      kick(thread);
      const stuck = nowMs - sinceMs > LIMITS.queuePatienceMs && claims.busy() < LIMITS.threadsAtOnce;
      if (stuck) void claims.take(thread);
    }
  };

  const sweep = createSweep({ ...deps, claimMs: 0, onThreads, beat: claims.beat });

  return {
    kick: (thread, inMs = 0) => {
      if (inMs === 0) return kick(thread);
      delayed.after(inMs, () => void kickIfDue(thread));
    },
    hold: claims.hold,
    start: () => {
      jobs.start();
      sweep.start();
    },
    close: async (limitMs) => {
      sweep.stop();
      delayed.cancelAll();
      // Another replica takes over a thread that does not end in time.
      const ended = claims.close(limitMs).finally(sweep.end);
      await jobs.pause();
      const end = await ended;
      await jobs.close(end === 'cut');
      return end;
    },
  };
}

interface Jobs {
  readonly add: (thread: ThreadKey) => void;
  readonly start: () => void;
  /** Takes no new job. */
  readonly pause: () => Promise<void>;
  /** `force`: does not wait for the jobs that run. */
  readonly close: (force: boolean) => Promise<void>;
}

interface JobsDeps extends Pick<WorkDeps, 'log'> {
  readonly claim: (thread: ThreadKey) => Promise<void>;
}

/** The queue and the worker of this process. A failure is only logged, because the sweep replaces every lost job. */
function openJobs(connect: QueueWorkDeps['connect'], { log, claim }: JobsDeps): Jobs {
  const connections = [connect(), connect()] as const;
  let isTold = false;
  const quietly = (error: unknown): void => {
    log.debug('The queue of threads failed; the sweep makes up for it.', { error });
    const refusal = isTold ? undefined : refusalOf(error);
    if (refusal === undefined) return;
    isTold = true;
    log.warn(`The queue of threads does not work, so a thread is taken up seconds late. ${refusal.message}`);
  };
  // Redis may be away, or close the connection of a worker that waits.
  const quiet = (work: Promise<unknown>): Promise<unknown> => work.catch(quietly);

  const queue = new Queue<ThreadKey>(QUEUE, { connection: connections[0], prefix: PREFIX, skipVersionCheck: true });
  queue.on('error', quietly);
  const worker = new Worker<ThreadKey>(QUEUE, async ({ data }) => claim(data), {
    connection: connections[1],
    prefix: PREFIX,
    autorun: false,
    skipVersionCheck: true,
    concurrency: LIMITS.threadsAtOnce,
    lockDuration: LOCK_MS,
    stalledInterval: LOOK_MS,
    maxStalledCount: ANY_NUMBER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', quietly);

  return {
    add: (thread) => {
      // A kick of a thread at work is kept: one job follows the running one.
      void quiet(queue.add(QUEUE, thread, { deduplication: { id: thread, keepLastIfActive: true } }));
    },
    start: () => void quiet(worker.run()),
    pause: async () => void (await quiet(worker.pause(true))),
    close: async (force) => {
      await quiet(Promise.all([worker.close(force), queue.close()]));
      for (const connection of connections) connection.disconnect();
    },
  };
}
