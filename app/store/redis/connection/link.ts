import { pause, systemTimers } from '../../../time/index.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { type Client, pauseMs } from './clients.ts';
import { fromEach, type NodeAnswer } from './nodes.ts';

/** Sends commands over a connection that it replaces when it has to. Every command must be safe to send twice. */
export interface Link {
  readonly command: (name: string, ...args: readonly (string | number)[]) => Promise<unknown>;
  /** The same question to every primary there is: a Cluster has several, and each is set up by itself. */
  readonly askEach: (name: string) => Promise<readonly NodeAnswer[]>;
  readonly close: () => Promise<void>;
}

export interface Patience {
  /** One attempt: a connection that says nothing for so long is thrown away. */
  readonly attemptMs: number;
  readonly attempts: number;
  /** All attempts together. */
  readonly totalMs: number;
}

/** For a person who waits: an answer soon, also when it is "no". */
export const FAST: Patience = { attemptMs: 1_000, attempts: 2, totalMs: 1_400 };
/** For work that has time: it goes on when Redis is back, whenever that is. */
export const STEADY: Patience = {
  attemptMs: 5_000,
  attempts: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
};

export function createLink(connect: () => Client, patience: Patience): Link {
  let closed = false;
  let connection = hold(connect());

  const attempt = async <Reply>(ms: number, send: (client: Client) => Promise<Reply>): Promise<Reply> => {
    const { client, ready } = connection;
    let wanted = true;
    const sending = async () => {
      if (client.status !== 'ready') await ready();
      // Whoever asked has been told no by now, or asks again. Sent late, it would happen although nobody wants it.
      if (!wanted) throw new Error(ENDED);
      return send(client);
    };
    try {
      return await within(ms, sending());
    } catch (error) {
      wanted = false;
      // Half a connection takes bytes and never answers. What it has not answered by now, it never will.
      const open = client.status === 'ready' || client.status === 'connect';
      if (error instanceof Overdue && open && connection.client === client && !closed) {
        connection = hold(connect());
        client.disconnect();
      }
      throw error;
    }
  };

  const patiently = async <Reply>(send: (client: Client) => Promise<Reply>): Promise<Reply> => {
    const deadline = performance.now() + patience.totalMs;
    if (closed) throw unavailable(closed, undefined);
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(Math.min(patience.attemptMs, deadline - performance.now()), send);
      } catch (cause) {
        if (isAnswer(cause)) throw inWords(cause);
        const waitMs = pauseMs(tried);
        const over = tried >= patience.attempts || performance.now() + waitMs > deadline;
        if (closed || over) throw unavailable(closed, cause);
        await pause(waitMs);
      }
    }
  };

  return {
    command: (name, ...args) => patiently((client) => client.call(name, ...args)),
    askEach: (name) => patiently((client) => fromEach(client, name)),
    close: async () => {
      if (closed) return;
      closed = true;
      // Asking Redis to close lets it answer first what is under way; one that does not answer is left.
      const { client } = connection;
      if (client.status === 'ready') await within(CLOSE_MS, client.quit()).catch(() => {});
      client.disconnect();
    },
  };
}

const CLOSE_MS = 1_000;
const ENDED = 'The connection was closed.';

/** All who wait for a connection to become ready wait for the same promise, however many they are. */
function hold(client: Client): { readonly client: Client; readonly ready: () => Promise<void> } {
  let waiting: Promise<void> | undefined;
  const ready = () => {
    // What has ended refuses each command by itself.
    if (client.status === 'end') return Promise.resolve();
    waiting ??= new Promise<void>((resolve, reject) => {
      const settle = (how: () => void) => () => {
        client.off('ready', onReady);
        client.off('end', onEnd);
        waiting = undefined;
        how();
      };
      const onReady = settle(resolve);
      const onEnd = settle(() => reject(new Error(ENDED)));
      client.on('ready', onReady);
      client.on('end', onEnd);
    });
    return waiting;
  };
  return { client, ready };
}

export class Overdue extends Error {}

/** The promise, or `Overdue` when it takes longer. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let cancel = () => {};
  const overdue = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Overdue(`No answer in ${ms} ms.`));
    if (ms < Number.POSITIVE_INFINITY) cancel = systemTimers.after(ms, giveUp);
  });
  try {
    return await Promise.race([promise, overdue]);
  } finally {
    cancel();
    // The loser of the race may still fail, and nobody is listening any more.
    promise.catch(() => {});
  }
}

/** Redis itself said no. Some of its answers only mean "not this server" or "not yet". */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return false;
  return !/^(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED)\b/.test(error.message);
}

/** Redis refuses every write while it is full, cannot save to its disk or misses replicas. Its words sound like a fault of the caller. */
function inWords(answer: unknown): unknown {
  if (!(answer instanceof Error)) return answer;
  if (/^(MISCONF|NOREPLICAS)\b/.test(answer.message))
    return new StoreUnavailableError(`Redis refuses to write. It says: ${answer.message}`, { cause: answer });
  if (!answer.message.startsWith('OOM')) return answer;
  return new StoreUnavailableError('Redis is out of memory and wrote nothing. Give it more (maxmemory), or another.', {
    cause: answer,
  });
}

function unavailable(closed: boolean, cause: unknown): Error {
  if (closed) return new StoreUnavailableError('The store is closed: the process is stopping.', { cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailableError(
    `Redis gave no answer in time (${why}). What was asked may or may not have happened; asking again is safe.`,
    { cause },
  );
}
