import { Cluster, Redis } from 'ioredis';
import { given } from '../../../given.ts';
import type { Log } from '../../../log.ts';
import type { RedisPlace } from '../place.ts';

/** A connection to one server or to a cluster, as the client library makes them. */
export type Client = Redis | Cluster;

/** How long a new connection may take; longer and the next attempt has better chances. */
const CONNECT_MS = 1_000;
/** Between attempts to connect, growing to this, with jitter so that replicas do not come back all at once. */
const LONGEST_PAUSE_MS = 2_000;

interface Manner {
  /** Commands wait in the client until it is connected. */
  readonly enableOfflineQueue: boolean;
  /** How long until it connects again; `null`: it does not. */
  readonly retryStrategy: (attempt: number) => number | null;
  /** How often the client itself repeats a command on a new connection; `null`: for ever. */
  readonly maxRetriesPerRequest?: null;
}

/** Takes the errors of a connection that it wants to handle itself, and returns true for them. */
export type OnConnectionError = (error: unknown) => boolean;

/**
 * For commands. The client itself neither queues nor repeats anything: `link.ts` does, because only there it is known
 * how long a caller can wait.
 */
export function connectForCommands(place: RedisPlace, log: Log, onError: OnConnectionError = () => false): Client {
  const client = create(place, { enableOfflineQueue: false, retryStrategy: pauseMs });
  let told = false;
  client.on('ready', () => {
    told = false;
  });
  // Once for each outage: it is tried again and again.
  client.on('error', (error: unknown) => {
    if (onError(error)) return;
    if (!told) log.warn('Redis cannot be reached; trying until it can. See that REDIS_URL is right.', { error });
    told = true;
  });
  return client;
}

/** For hints. It never comes back by itself: whoever listens must know that something may have been missed. */
export function connectForHints(place: RedisPlace, log: Log): Client {
  const client = create(place, { enableOfflineQueue: true, retryStrategy: () => null });
  // The library prints what nobody listens to. Whoever subscribes is told by the command that fails.
  client.on('error', (error: unknown) => log.debug('The connection for hints failed.', { error }));
  return client;
}

/** For the queue of threads, which blocks on it and waits for as long as it takes. */
export function connectForQueue(place: RedisPlace, log: Log): Client {
  const client = create(place, { enableOfflineQueue: true, retryStrategy: pauseMs, maxRetriesPerRequest: null });
  client.on('error', (error: unknown) => log.debug('The connection of the queue failed.', { error }));
  return client;
}

/** Grows by doubling, and is never twice the same. */
export function pauseMs(attempt: number): number {
  const most = Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(attempt - 1, 10));
  return Math.round(most * (0.5 + Math.random() / 2));
}

function create(place: RedisPlace, manner: Manner): Client {
  if (place.type === 'single') return new Redis(place.url, { ...COMMON, ...manner });
  const retries = 'maxRetriesPerRequest' in manner ? { maxRetriesPerRequest: null } : {};
  const login = {
    ...given({ username: place.username, password: place.password }),
    ...(place.tls ? { tls: {} } : {}),
  };
  if (place.type === 'sentinel') {
    const { hosts, name, database: db } = place;
    return new Redis({
      ...COMMON,
      ...manner,
      ...login,
      sentinels: [...hosts],
      name,
      db,
      enableTLSForSentinelMode: place.tls,
    });
  }
  return new Cluster([...place.hosts], {
    redisOptions: { ...COMMON, ...login, ...retries },
    clusterRetryStrategy: manner.retryStrategy,
    enableOfflineQueue: manner.enableOfflineQueue,
    shardedSubscribers: true,
    slotsRefreshTimeout: CONNECT_MS,
  });
}

const COMMON = {
  connectTimeout: CONNECT_MS,
  connectionName: 'countersign',
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A primary that became a replica: look for the new one. Repeating the command is for the link.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
};
