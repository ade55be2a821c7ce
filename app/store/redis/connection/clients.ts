import { Cluster, Redis } from 'ioredis';
import { given } from '../../../given.ts';
import { errorText, type Log } from '../../../log.ts';
import type { RedisAddress } from '../address.ts';

/** A connection to one server or to a cluster, as the client library makes them. */
export type Client = Redis | Cluster;

/** How long a new connection may take. After that, a new attempt has better chances. */
const CONNECT_MS = 1_000;
/** Pauses between attempts grow to this, with jitter, so that replicas do not come back all at once. */
const LONGEST_PAUSE_MS = 2_000;

interface Manner {
  /** Commands wait in the client until it is connected. */
  readonly enableOfflineQueue: boolean;
  /** How long until it connects again; `null`: it does not. */
  readonly retryStrategy: (attempt: number) => number | null;
  /** How often the client itself repeats a command on a new connection; `null`: for ever. */
  readonly maxRetriesPerRequest?: null;
}

/** Returns true for an error of a connection that it handles itself. */
export type OnConnectionError = (error: unknown) => boolean;

/**
 * A connection for commands. The client neither queues nor repeats them: `link.ts` does, because only it knows how long a
 * caller can wait.
 */
export function connectForCommands(place: RedisAddress, log: Log, onError: OnConnectionError): Client {
  const client = create(place, { enableOfflineQueue: false, retryStrategy: pauseMs });
  let told = false;
  client.on('ready', () => {
    told = false;
  });
  // Logged once for each outage, although the client tries again and again.
  client.on('error', (error: unknown) => {
    if (onError(error)) return;
    if (!told) log.warn(isAboutCertificate(errorText(error)) ? REFUSED_CERTIFICATE : OUT_OF_REACH, { error });
    told = true;
  });
  return client;
}

const OUT_OF_REACH = 'Redis cannot be reached; trying until it can. See that REDIS_URL is right.';
/** Node reads this variable when it starts, before the bot reads `.env`. */
export const NAME_AUTHORITY =
  'If an authority of your own signed it, set NODE_EXTRA_CA_CERTS to the file of that authority in the environment of the ' +
  'process, not in .env.';
const REFUSED_CERTIFICATE = `The certificate of Redis is refused; trying until it is not. ${NAME_AUTHORITY}`;
/** An alert is what Redis says: it may want a certificate of the bot. */
export const isAboutCertificate = (why: string): boolean => /\bcertificate\b/.test(why) && !/\balert\b/.test(why);

/** A connection for hints. It never reconnects by itself: the subscriber must learn that hints may have been missed. */
export function connectForHints(place: RedisAddress, log: Log): Client {
  const client = create(place, { enableOfflineQueue: true, retryStrategy: () => null });
  // Without a listener the library prints the error. The subscriber hears of it by the command that fails.
  client.on('error', (error: unknown) => log.debug('The connection for hints failed.', { error }));
  return client;
}

/** A connection for the queue of threads, which blocks on it and waits through outages. */
export function connectForQueue(place: RedisAddress, log: Log): Client {
  const client = create(place, { enableOfflineQueue: true, retryStrategy: pauseMs, maxRetriesPerRequest: null });
  client.on('error', (error: unknown) => log.debug('The connection of the queue failed.', { error }));
  return client;
}

/** How long to wait after an attempt: doubled each time, with jitter. */
export function pauseMs(attempt: number): number {
  const most = Math.min(LONGEST_PAUSE_MS, 50 * 2 ** (attempt - 1));
  return Math.round(most * (0.5 + Math.random() / 2));
}

function create(place: RedisAddress, manner: Manner): Client {
  if (place.type === 'single') return inItsDatabase(new Redis(place.url, { ...COMMON, ...manner }));
  const retries = 'maxRetriesPerRequest' in manner ? { maxRetriesPerRequest: null } : {};
  const login = {
    ...given({ username: place.username, password: place.password }),
    ...(place.tls ? { tls: {} } : {}),
  };
  if (place.type === 'sentinel') {
    const { hosts, name, database: db } = place;
    return inItsDatabase(
      new Redis({
        ...COMMON,
        ...manner,
        ...login,
        sentinels: [...hosts],
        name,
        db,
        enableTLSForSentinelMode: place.tls,
      }),
    );
  }
  return new Cluster([...place.hosts], {
    redisOptions: { ...COMMON, ...login, ...retries },
    clusterRetryStrategy: manner.retryStrategy,
    enableOfflineQueue: manner.enableOfflineQueue,
    shardedSubscribers: true,
    slotsRefreshTimeout: CONNECT_MS,
  });
}

/** Where Redis refuses the database of the address, the client library would go on in database 0, which is not the bot's. */
function inItsDatabase(client: Redis): Redis {
  client.on('error', (error: unknown) => {
    if (isRefusedDatabase(error)) client.disconnect(true);
  });
  return client;
}

/** Redis has no database with this number, or keeps SELECT from the user. */
export function isRefusedDatabase(error: unknown): error is Error {
  const { command } = error instanceof Error && 'command' in error ? error : {};
  return typeof command === 'object' && command !== null && 'name' in command && command.name === 'select';
}

const COMMON = {
  connectTimeout: CONNECT_MS,
  connectionName: 'countersign',
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The primary became a replica, so the client looks for the new one. The link repeats the command.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
};
