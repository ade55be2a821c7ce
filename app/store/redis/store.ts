import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import { RunId, ThreadKey } from '../../records/index.ts';
import { checkAppend } from '../check.ts';
import { dueWord, readDueWord } from '../due.ts';
import type { Durability } from '../durability.ts';
import * as keys from '../keys.ts';
import { letterOf, readNames } from '../names.ts';
import type { AppendAnswer, AppendRequest, JournalPage, Store } from '../store.ts';
import { append, type Publishing, startOfElement } from './append.ts';
import { connectForCommands, connectForHints } from './connection/clients.ts';
import { checkDurability, checkHealth, readShards, settleShards } from './connection/health.ts';
import { createLink, FAST, type Link, STEADY } from './connection/link.ts';
import { createFirstLogin } from './connection/login.ts';
import { createSubscriber, type Subscriber } from './connection/subscriber.ts';
import type { RedisPlace } from './place.ts';
import { listIn, numberIn, textIn, textsIn } from './replies.ts';
import { scanKeys } from './scan.ts';
import { run as runScript } from './script.ts';
import { CLAIM, CLAIM_ONE, MOVE, READ, REMOVE, RENEW, REST, TAKE, TAKE_PLACE, THREAD } from './scripts.ts';
import { createSettle } from './settle.ts';

export interface RedisStore extends Store {
  /** The same facts for work that has time: it waits through an outage instead of failing soon. */
  readonly steady: Store;
}

export interface RedisStoreOptions {
  readonly place: RedisPlace;
  /** Only for a Redis that is new; what is stored is otherwise what counts. */
  readonly shards?: number;
  readonly log: Log;
  readonly readOnly?: boolean;
  readonly durability?: Durability;
}

/** A Cluster spreads its work by these. One server has nothing to spread. */
const CLUSTER_SHARDS = 64;

/**
 * Facts in Redis, for any number of processes. Resolves when Redis answers, however long that takes; rejects when Redis
 * refuses the login.
 */
export async function createRedisStore({
  place,
  shards: wanted,
  log,
  readOnly = false,
  durability = 'process',
}: RedisStoreOptions): Promise<RedisStore> {
  const login = createFirstLogin();
  const connect = () => connectForCommands(place, log, login.onError);
  const steady = createLink(connect, STEADY);
  const inCluster = place.type === 'cluster';
  const settled = readOnly
    ? readShards(steady)
    : settleShards(steady, { wanted, usual: inCluster ? CLUSTER_SHARDS : 1 });
  const checked = settled.then(async (found) => {
    if (!readOnly) await checkDurability(steady, durability);
    return found;
  });
  const shards = await login.orRefused(checked).catch(async (error) => {
    await steady.close();
    throw error;
  });

  const fast = createLink(connect, FAST);
  const subscriber = createSubscriber({
    connect: () => connectForHints(place, log),
    channels: keys.allShards(shards).map((shard) => keys.wakeChannel(shard, place.database)),
    sharded: inCluster,
    log,
  });
  const settle = durability === 'process' ? undefined : createSettle(connect, durability);
  const close = async () => {
    settle?.close();
    await Promise.all([subscriber.close(), fast.close(), steady.close()]);
  };
  const names = async (letter: string) =>
    (await scanKeys(connect, keys.journalPattern(letter))).map((key) => keys.journalOfKey(key));
  const publishing: Publishing = { database: place.database, command: inCluster ? 'SPUBLISH' : 'PUBLISH' };
  const shared = { shards, subscriber, publishing, names, close, log };
  return {
    ...storeOver(fast, { ...shared, keep: settle && ((...append) => settle.keep(...append, FAST.totalMs)) }),
    steady: storeOver(steady, { ...shared, keep: settle && ((...append) => settle.keep(...append, STEADY.totalMs)) }),
  };
}

interface Shared {
  readonly shards: number;
  readonly subscriber: Subscriber;
  readonly publishing: Publishing;
  readonly names: (letter: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
  readonly log: Log;
}

interface Over extends Shared {
  /** Absent: what Redis has answered is safe enough. */
  readonly keep: ((request: AppendRequest, send: () => Promise<AppendAnswer>) => Promise<AppendAnswer>) | undefined;
}

function storeOver(link: Link, { shards, subscriber, publishing, names, close, log, keep }: Over): Store {
  const shardOf = (thread: ThreadKey) => keys.digits(keys.shardOfThread(thread, shards));
  const claim = claimFrom(link, keys.allShards(shards));

  return {
    engine: 'redis',
    shards,

    append: async (request) => {
      checkAppend(request, shards);
      const send = () => append(link, request, publishing);
      return request.weighty === true && keep !== undefined ? keep(request, send) : send();
    },
    read: async (journal, from = 0) => readPage(await runScript(link, READ, [keys.journalKey(journal)], [from])),
    journals: async (kind) => readNames(kind, await names(letterOf(kind))),
    readItems: async (run, from = 0) => textsIn(await link.command('lrange', keys.itemsKey(run), from, -1)),

    take: async ({ key, thread, item }) => {
      const shard = shardOf(thread);
      const element = item === undefined ? [] : [startOfElement(key) + item];
      const reply = await runScript(
        link,
        TAKE,
        [keys.seenKey(shard, key), keys.inboxKey(shard, thread), keys.todoKey(shard)],
        [randomUUID(), keys.SEEN_MS, thread, ...element],
      );
      return numberIn(reply) === 1 ? 'taken' : 'seen';
    },
    thread: async (thread) => {
      const shard = shardOf(thread);
      const reply = await runScript(link, THREAD, [keys.threadKey(shard, thread), keys.inboxKey(shard, thread)], []);
      const [nowMs, run, inbox] = listIn(reply);
      return {
        currentRun: run === '' ? undefined : RunId.parse(run),
        inbox: textsIn(inbox).map(readElement),
        nowMs: numberIn(nowMs),
      };
    },

    findApproval: async (approval) => {
      const reply = await link.command('get', keys.approvalKey(approval));
      return reply === null ? undefined : RunId.parse(reply);
    },
    members: async (index) => {
      const lists = keys.shardsOfIndex(index, shards).map((shard) => keys.indexKey(shard, index));
      const found = await Promise.all(lists.map(async (key) => textsIn(await link.command('smembers', key))));
      return [...new Set(found.flat())];
    },

    takePlace: async ({ index, member, most }) => {
      const [shard = ''] = keys.shardsOfIndex(index, shards);
      const reply = await runScript(link, TAKE_PLACE, [keys.indexKey(shard, index)], [member, most, keys.PLACES_MS]);
      return numberIn(reply) === 1;
    },

    claimTodo: async (request) => (await claim(keys.todoKey, request)).map((thread) => ThreadKey.parse(thread)),
    claimThread: async (thread, leaseMs, earlyMs = 0) =>
      numberIn(await runScript(link, CLAIM_ONE, [keys.todoKey(shardOf(thread))], [thread, leaseMs, earlyMs])) === 1,
    renewTodo: async (thread, leaseMs) => {
      await runScript(link, RENEW, [keys.todoKey(shardOf(thread))], [leaseMs, thread]);
    },
    restTodo: async ({ thread, run, version, inboxLength }) => {
      const shard = shardOf(thread);
      const journal = run === undefined ? [] : [keys.journalKey(run)];
      const reply = await runScript(
        link,
        REST,
        [keys.threadKey(shard, thread), keys.inboxKey(shard, thread), keys.todoKey(shard), ...journal],
        [thread, inboxLength, run ?? '', version],
      );
      return numberIn(reply) === 1;
    },
    claimDue: async (request) =>
      (await claim(keys.dueKey, request)).flatMap((word) => {
        const item = readDueWord(word);
        if (item === undefined) log.warn('Something with a time is not ours to read; it is left alone.', { word });
        return item ?? [];
      }),

    moveDue: async (item, inMs) => {
      const later = inMs === 'never' ? [] : [inMs];
      await runScript(link, MOVE, [keys.dueKey(keys.shardOfId(item.subject))], [dueWord(item), ...later]);
    },
    removeRun: async ({ run, version, thread, approvals, due, members }) => {
      const shard = keys.shardOfId(run);
      const found = [...approvals.map(keys.approvalKey), ...members.map(({ index }) => keys.indexKey(shard, index))];
      const reply = await runScript(
        link,
        REMOVE,
        [keys.journalKey(run), keys.itemsKey(run), keys.threadKey(shard, thread), keys.dueKey(shard), ...found],
        [version, run, approvals.length, due.length, ...due.map(dueWord), ...members.map(({ member }) => member)],
      );
      return numberIn(reply) === 1;
    },

    watch: (listener) => subscriber.add(listener),
    health: () => checkHealth(link),
    close,
  };
}

/** Shard after shard until there are enough, each time beginning with another one, so that none is always the last. */
function claimFrom(link: Link, shards: readonly string[]) {
  let first = 0;
  return async (
    keyOf: (shard: string) => string,
    { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  ): Promise<readonly string[]> => {
    first = (first + 1) % shards.length;
    const claimed: string[] = [];
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      if (claimed.length >= limit) break;
      const more = await runScript(link, CLAIM, [keyOf(shard)], [limit - claimed.length, leaseMs]);
      claimed.push(...textsIn(more));
    }
    return claimed;
  };
}

function readPage(reply: unknown): JournalPage {
  const [nowMs, version, lines] = listIn(reply);
  const entries = textsIn(lines).map((line) => {
    const space = line.indexOf(' ');
    return { id: line.slice(0, space), text: line.slice(space + 1) };
  });
  return { entries, version: numberIn(version), nowMs: numberIn(nowMs) };
}

function readElement(element: string): { readonly key: string; readonly item: string } {
  const end = element.indexOf('\n');
  return { key: textIn(JSON.parse(element.slice(0, end))), item: element.slice(end + 1) };
}
