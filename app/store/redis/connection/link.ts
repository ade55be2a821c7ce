import { errorText, type Log } from '../../../log.ts';
import { orLog } from '../../../or-log.ts';
import { pause, systemTimers } from '../../../time/index.ts';
import { StoreSetupError, StoreUnavailableError } from '../../errors.ts';
import { type Client, pauseMs } from './clients.ts';
import { fromEach, type NodeAnswer } from './nodes.ts';

/** Sends commands over a connection, which it replaces when it is silent. Every command must be safe to send twice. */
export interface Link {
  readonly command: (name: string, ...args: readonly (string | number)[]) => Promise<unknown>;
  /** Sends a command to every primary. A Cluster has several, and each has its own setup. */
  readonly askEach: (name: string) => Promise<readonly NodeAnswer[]>;
  readonly close: () => Promise<void>;
}

export interface Patience {
  /** One attempt. A connection that is silent for longer is replaced. */
  readonly attemptMs: number;
  readonly attempts: number;
  /** All attempts together. */
  readonly totalMs: number;
}

/** For a person who waits: an early failure is better than a late answer. */
export const FAST: Patience = { attemptMs: 1_000, attempts: 2, totalMs: 1_400 };
/** For work that can wait: it goes on when Redis is back. */
export const STEADY: Patience = {
  attemptMs: 5_000,
  attempts: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
};

/** For a command that a person waits for: it ends when Redis gives no answer for this long. */
export const AT_A_TERMINAL: Patience = { attemptMs: 5_000, attempts: Number.POSITIVE_INFINITY, totalMs: 5_000 };

export function createLink(connect: () => Client, patience: Patience, log: Log): Link {
  let closed = false;
  let connection = hold(connect());
  let isTold = false;
  const tell = (error: unknown): void => {
    if (!isTold)
      log.warn(
        'Redis takes connections and does not do what the bot asks; trying until it does. See that it has loaded its data, ' +
          'is a primary and, in a Cluster, that each node runs.',
        { error },
      );
    isTold = true;
  };

  const attempt = async <Reply>(ms: number, send: (client: Client) => Promise<Reply>): Promise<Reply> => {
    const { client, ready } = connection;
    let wanted = true;
    const sending = async () => {
      if (client.status !== 'ready') await ready();
      // The caller has been told that it failed, or sends it again. Sent now, it would take effect against that answer.
      if (!wanted) throw new Error(ENDED);
      return send(client);
    };
    try {
      return await within(ms, sending());
      // A half-open connection takes bytes and never answers. It is replaced; the caller hears of the error.
    } catch (error) {
      wanted = false;
      const open = client.status === 'ready' || client.status === 'connect';
      if (error instanceof Overdue && open && connection.client === client && !closed) {
        connection = hold(connect());
        client.disconnect();
      }
      throw error;
    }
  };

  const patiently = async <Reply>(send: (client: Client) => Promise<Reply>): Promise<Reply> => {
    const beganMs = performance.now();
    const deadline = beganMs + patience.totalMs;
    let hasWaited = false;
    for (let tried = 1; ; tried += 1) {
      try {
        const reply = await attempt(Math.min(patience.attemptMs, deadline - performance.now()), send);
        // Another command may still wait, such as a write while a replica answers reads.
        if (hasWaited) isTold = false;
        return reply;
        // An error that Redis answered is final. After any other, the command is sent again while there is time.
      } catch (cause) {
        if (isAnswer(cause)) throw inWords(cause);
        const waitMs = pauseMs(tried);
        const over = tried >= patience.attempts || performance.now() + waitMs > deadline;
        if (closed || over) throw unavailable(closed, cause);
        hasWaited = performance.now() - beganMs > TOLD_AFTER_MS;
        if (hasWaited && !connection.isOut()) tell(cause);
        await pause(waitMs);
      }
    }
  };

  return {
    command: (name, ...args) => patiently((client) => client.call(name, ...args)),
    askEach: (name) => patiently((client) => fromEach(client, name)),
    close: async () => {
      closed = true;
      const { client } = connection;
      // QUIT lets Redis answer what is under way. If it does not answer QUIT, the connection is cut all the same.
      const quit = () => within(CLOSE_MS, client.quit());
      if (client.status === 'ready')
        await orLog(log.debug, 'Redis did not answer QUIT; its connection is cut.', {}, quit);
      client.disconnect();
    },
  };
}

const CLOSE_MS = 1_000;
const ENDED = 'The connection was closed.';

/** A fail-over takes less. */
const TOLD_AFTER_MS = 3_000;

interface Held {
  readonly client: Client;
  readonly ready: () => Promise<void>;
  /** The connection itself failed, which its own listener logs. */
  readonly isOut: () => boolean;
}

/** All callers that wait for a connection to become ready share one promise. */
function hold(client: Client): Held {
  let waiting: Promise<void> | undefined;
  let out = false;
  client.on('error', () => {
    out = true;
  });
  client.on('ready', () => {
    out = false;
  });
  const ready = async () => {
    // A connection that has ended refuses each command itself.
    if (client.status === 'end') return;
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
    await waiting;
  };
  return { client, ready, isOut: () => out };
}

export class Overdue extends Error {}

/** The promise, or `Overdue` when it takes longer. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let cancel = () => {};
  const overdue = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Overdue(`No answer in ${Math.max(0, Math.round(ms))} ms.`));
    cancel = systemTimers.after(ms, giveUp);
  });
  try {
    return await Promise.race([promise, overdue]);
  } finally {
    cancel();
  }
}

/** True for an error that Redis answered. Some of its errors only mean "not this server" or "not yet". */
function isAnswer(error: unknown): error is Error {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return false;
  return !/^(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNBLOCKED)\b/.test(error.message);
}

/** What the setup of Redis keeps from the bot, if the error says so. */
export function refusalOf(error: unknown): StoreSetupError | undefined {
  const why = error instanceof Error ? inWords(error) : undefined;
  return why instanceof StoreSetupError ? why : undefined;
}

/** Redis refuses every write while it is full, cannot save to disk or misses replicas. Its own words seem to blame the caller. */
function inWords(answer: Error): Error {
  if (/^NOPERM\b|The user executing the script can't\b/.test(answer.message))
    return new StoreSetupError(
      `Redis does not let the user that REDIS_URL names do what the bot needs. It says: ${errorText(answer)}. ` +
        'Give that user every command, and the keys and channels of the bot: ACL SETUSER name +@all ~cs:* &cs:*.',
      { cause: answer },
    );
  // The client of a Cluster follows these itself.
  if (/^(MOVED|ASK)\b/.test(answer.message))
    return new StoreSetupError(
      'The Redis that REDIS_URL names is one node of a Redis Cluster. Begin REDIS_URL with redis+cluster:// in place of redis://.',
      { cause: answer },
    );
  if (/^ERR unknown (redis )?command\b/i.test(answer.message))
    return new StoreSetupError(
      `Redis does not know a command that the bot needs. It says: ${errorText(answer)}. Give the command its own name back, ` +
        'or use a Redis that has it.',
      { cause: answer },
    );
  if (/^BUSY\b/.test(answer.message))
    return new StoreUnavailableError(
      'Redis does nothing else while a script runs in it. End that script with SCRIPT KILL or FUNCTION KILL. ' +
        `It says: ${errorText(answer)}`,
      { cause: answer },
    );
  if (/^(MISCONF|NOREPLICAS)\b/.test(answer.message))
    return new StoreUnavailableError(`Redis refuses to write. It says: ${errorText(answer)}`, { cause: answer });
  if (!answer.message.startsWith('OOM')) return answer;
  return new StoreUnavailableError('Redis is out of memory and wrote nothing. Raise its maxmemory.', {
    cause: answer,
  });
}

function unavailable(closed: boolean, cause: unknown): Error {
  if (closed) return new StoreUnavailableError('The store is closed: the process is stopping.', { cause });
  const why = errorText(cause);
  const toDo = why.startsWith('READONLY') ? ' See that REDIS_URL names a primary.' : '';
  return new StoreUnavailableError(
    `Redis gave no answer in time (${why}). What was asked may or may not have happened; asking again is safe.${toDo}`,
    { cause },
  );
}
