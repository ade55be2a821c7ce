import { randomUUID } from 'node:crypto';
import { type Person, RunId, ThreadKey } from '../../records/index.ts';
import * as keys from '../keys.ts';
import type { Store } from '../store.ts';
import type { HomeClaims, PaintingClaims, Todo } from '../todo.ts';
import { startOfElement } from './append.ts';
import type { Claim } from './claim.ts';
import type { Link } from './connection/link.ts';
import { listIn, numberIn, textIn, textsIn, wordIn } from './replies.ts';
import type { Scan } from './scan.ts';
import { run as runScript, type Script } from './script.ts';
import { MOVE, TAKE, THREAD } from './scripts.ts';
import {
  ABANDON,
  CLAIM_HOME,
  CLAIM_ONE,
  CLAIM_PAINTING,
  KEEP_HOME,
  LET_GO,
  REST,
  SET_ASIDE,
  TAKE_IN_HAND,
  TAKE_UP,
} from './todo-scripts.ts';

interface Threads {
  readonly link: Link;
  readonly shardOf: (thread: ThreadKey) => string;
}

/** The inbox of a thread and its current run. */
export function threads({
  link,
  shardOf,
  scan,
}: Threads & { readonly scan: Scan }): Pick<Store, 'take' | 'thread' | 'inboxes'> {
  return {
    take: async ({ key, thread, item }) => {
      const shard = shardOf(thread);
      const element = item === undefined ? [] : [startOfElement(key) + item];
      const reply = await runScript(
        link,
        TAKE,
        [keys.seenKey(shard, key), keys.inboxKey(shard, thread), keys.todoKey(shard), keys.threadKey(shard, thread)],
        [randomUUID(), keys.SEEN_MS, thread, ...element],
      );
      return wordIn(reply, ['taken', 'added', 'seen'] as const);
    },
    thread: async (thread, most = 0) => {
      const shard = shardOf(thread);
      const reply = await runScript(
        link,
        THREAD,
        [keys.threadKey(shard, thread), keys.inboxKey(shard, thread)],
        [most],
      );
      const [nowMs, run, inbox, inboxLength, aside, deaths] = listIn(reply);
      return {
        currentRun: run === '' ? undefined : RunId.parse(run),
        inbox: textsIn(inbox).map(readElement),
        inboxLength: numberIn(inboxLength),
        ...(aside === '' ? {} : { aside: wordIn(aside, ['waiting', 'stopping', 'left'] as const) }),
        deaths: numberIn(deaths),
        nowMs: numberIn(nowMs),
      };
    },
    inboxes: async () => (await scan(keys.INBOX_PATTERN)).map((key) => ThreadKey.parse(keys.threadOfInboxKey(key))),
  };
}

/** Which thread needs to be advanced, and when. */
export function todo({ link, shardOf, claim }: Threads & { readonly claim: Claim }): Todo {
  const change = (
    script: Script,
    thread: ThreadKey,
    args: readonly (string | number)[],
    more: readonly string[] = [],
  ) => {
    const shard = shardOf(thread);
    return runScript(
      link,
      script,
      [keys.todoKey(shard), keys.handsKey(shard), keys.threadKey(shard, thread), ...more],
      [thread, ...args],
    );
  };
  return {
    claimTodo: async (request) => (await claim(keys.todoKey, request)).map((thread) => ThreadKey.parse(thread)),
    claimThread: async (thread, leaseMs, earlyMs) =>
      numberIn(await runScript(link, CLAIM_ONE, [keys.todoKey(shardOf(thread))], [thread, leaseMs, earlyMs])) === 1,
    takeInHand: async ({ thread, by, leaseMs, earlyMs, suspectInMs = '', unsure = false }) => {
      const sure = unsure ? ['unsure'] : [];
      const deaths = numberIn(await change(TAKE_IN_HAND, thread, [leaseMs, earlyMs, by, suspectInMs, ...sure]));
      return deaths === -1 ? undefined : deaths;
    },
    letGo: async (thread, by, inMs) => {
      await change(LET_GO, thread, inMs === undefined ? [by] : [by, inMs]);
    },
    setAside: async (thread, how, from) =>
      numberIn(await change(SET_ASIDE, thread, from === undefined ? [how] : [how, from.by, from.deaths])) === 1,
    takeUp: async (thread, deaths) => {
      await change(TAKE_UP, thread, [deaths]);
    },
    abandon: async (thread, run, seen = Number.MAX_SAFE_INTEGER) =>
      numberIn(await change(ABANDON, thread, [run ?? '', seen], [keys.inboxKey(shardOf(thread), thread)])) === 1,
    renewTodo: async (thread, leaseMs) => {
      await runScript(link, MOVE, [keys.todoKey(shardOf(thread))], [thread, leaseMs]);
    },
    restTodo: async ({ thread, run, version, inboxLength }) => {
      const journal = run === undefined ? [] : [keys.journalKey(run)];
      const inbox = keys.inboxKey(shardOf(thread), thread);
      return numberIn(await change(REST, thread, [inboxLength, run ?? '', version], [inbox, ...journal])) === 1;
    },
  };
}

/** One command claims what no process has. Only a claim that is there already needs the script. */
export function paintings(link: Link): PaintingClaims {
  return {
    claimPainting: async ({ state, by, leaseMs, ...painting }) => {
      const key = keys.paintingKey(painting);
      if ((await link.command('set', key, `${by} ${state}`, 'px', leaseMs, 'nx')) !== null) return undefined;
      const reply = await runScript(link, CLAIM_PAINTING, [key], [`${by} `, state, leaseMs]);
      return reply === null ? undefined : textIn(reply);
    },
    releasePainting: async (painting) => {
      await link.command('del', keys.paintingKey(painting));
    },
  };
}

export function homes({ link, shards }: Pick<Threads, 'link'> & { readonly shards: number }): HomeClaims {
  const keyOf = (person: Person) => keys.homeKey(keys.digits(keys.shardOfTeam(person.team, shards)), person);
  return {
    claimHome: async ({ person, by, forMs }) => {
      const reply = await runScript(link, CLAIM_HOME, [keyOf(person)], [`${by}:`, forMs]);
      if (reply === null) return 'elsewhere';
      const [shows, knownMs] = listIn(reply);
      return shows === '' ? 'unknown' : { shows: textIn(shows), forMs: numberIn(knownMs) };
    },
    keepHome: async ({ person, by, forMs }, shows = '') =>
      numberIn(await runScript(link, KEEP_HOME, [keyOf(person)], [`${by}:`, shows, forMs])) === 1,
  };
}

function readElement(element: string): { readonly key: string; readonly item: string } {
  const end = element.indexOf('\n');
  return { key: textIn(JSON.parse(element.slice(0, end))), item: element.slice(end + 1) };
}
