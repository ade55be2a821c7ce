import type { Log } from '../../log.ts';
import type { ThreadKey } from '../../records/index.ts';
import * as keys from '../keys.ts';
import type { Durability, Store } from '../store.ts';
import { nameOf, type RedisAddress } from './address.ts';
import type { Publishing } from './append.ts';
import { claimFrom } from './claim.ts';
import { connectForCommands, connectForHints } from './connection/clients.ts';
import { checkDurability, checkHealth, readShards, settleShards, tryToWrite } from './connection/health.ts';
import { AT_A_TERMINAL, createLink, FAST, STEADY } from './connection/link.ts';
import { createFirstLogin } from './connection/login.ts';
import { createReaderErrors } from './connection/reader-errors.ts';
import { createSubscriber, type Subscriber } from './connection/subscriber.ts';
import { due, indexes } from './indexes.ts';
import { type JournalsDeps, journals } from './journals.ts';
import { type Scan, scanKeys } from './scan.ts';
import { sealing } from './sealing.ts';
import { createSettle } from './settle.ts';
import { homes, paintings, threads, todo } from './threads.ts';

export interface RedisStore extends Store {
  /** The same store for work that can wait: it waits through an outage instead of failing soon. */
  readonly patient: Store;
  /** Writes the number of shards again, where Redis was emptied. Rejects where its setup would lose facts. */
  readonly settle: () => Promise<void>;
}

export interface RedisStoreOptions {
  readonly place: RedisAddress;
  /** For a new Redis only. Otherwise the stored number counts. */
  readonly shards?: number;
  readonly log: Log;
  readonly readOnly?: boolean;
  /** For a command that writes. */
  readonly beside?: boolean;
  readonly durability?: Durability;
}

/** A Cluster spreads its work over these. One server has nothing to spread. */
const CLUSTER_SHARDS = 64;

/**
 * Keeps facts in Redis, for any number of processes. Resolves when Redis answers, however long that takes; rejects when
 * Redis refuses the login. A command does not wait for an answer for long.
 */
export async function createRedisStore({
  place,
  shards: wanted,
  log,
  readOnly = false,
  beside = false,
  durability = 'process',
}: RedisStoreOptions): Promise<RedisStore> {
  const login = createFirstLogin(nameOf(place));
  const errors = readOnly ? createReaderErrors(nameOf(place)) : undefined;
  let closed = false;
  const connect = () =>
    connectForCommands(place, log, (error) => closed || login.onError(error) || errors?.onError(error) === true);
  const patience = readOnly || beside ? AT_A_TERMINAL : STEADY;
  const patient = createLink(connect, patience, log);
  const inCluster = place.type === 'cluster';
  const settled = readOnly
    ? readShards(patient)
    : settleShards(patient, { wanted, usual: inCluster ? CLUSTER_SHARDS : 1 });
  const checked = settled.then(async (found) => {
    if (!readOnly) await checkDurability(patient, durability);
    return found;
  });
  // The caller gets no store to close, so the connection is closed here.
  const shards = await login.orRefused(checked).catch(async (error) => {
    await patient.close();
    throw errors?.inOneSentence(error) ?? error;
  });

  const fast = createLink(connect, FAST, log);
  const subscriber = createSubscriber({
    connect: () => connectForHints(place, log),
    channels: keys.allShards(shards).map((shard) => keys.wakeChannel(shard, place.database)),
    sharded: inCluster,
    log,
  });
  const settle = durability === 'process' ? undefined : createSettle(connect, durability);
  const close = async () => {
    // A connection that is cut while it opens fails, which is no outage.
    closed = true;
    settle?.close();
    await Promise.all([subscriber.close(), fast.close(), patient.close()]);
  };
  const scan: Scan = (pattern) => scanKeys(connect, pattern);
  const names = async (letter: string) =>
    (await scan(keys.journalPattern(letter))).map((key) => keys.journalOfKey(key));
  const publishing: Publishing = { database: place.database, command: inCluster ? 'SPUBLISH' : 'PUBLISH' };
  const shared = { shards, subscriber, publishing, names, scan, close, log, readOnly, durability };
  return {
    settle: async () => {
      await settleShards(fast, { wanted: shards, usual: shards });
      await checkHealth(fast);
    },
    ...storeOver({ ...shared, link: fast, keep: settle && ((...append) => settle.keep(...append, FAST.totalMs)) }),
    patient: storeOver({
      ...shared,
      link: patient,
      keep: settle && ((...append) => settle.keep(...append, patience.totalMs)),
    }),
  };
}

interface StoreOver extends JournalsDeps {
  readonly scan: Scan;
  readonly subscriber: Subscriber;
  readonly close: () => Promise<void>;
  readonly log: Log;
  readonly readOnly: boolean;
  readonly durability: Durability;
}

function storeOver(deps: StoreOver): Store {
  const { link, shards, scan, subscriber, log, readOnly } = deps;
  const shardOf = (thread: ThreadKey) => keys.digits(keys.shardOfThread(thread, shards));
  const claim = claimFrom(link, keys.allShards(shards));
  return {
    isExclusive: false,
    shards,
    ...journals(deps),
    ...threads({ link, shardOf, scan }),
    ...todo({ link, shardOf, claim }),
    ...paintings(link),
    ...homes({ link, shards }),
    ...indexes({ link, shards }),
    ...due({ link, claim, log }),
    ...sealing({ link, shards, shardOf }),
    watch: (listener) => subscriber.add(listener),
    health: async () => {
      if (!readOnly) {
        await tryToWrite(link, deps);
        await checkDurability(link, deps.durability);
      }
      return checkHealth(link);
    },
    close: deps.close,
  };
}
