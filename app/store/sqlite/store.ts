import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import { RunId, ThreadKey } from '../../records/index.ts';
import { checkAppend } from '../check.ts';
import { dueWord, readDueWord } from '../due.ts';
import { StoreSetupError } from '../errors.ts';
import { SEEN_MS } from '../keys.ts';
import { letterOf, readNames } from '../names.ts';
import type { Store } from '../store.ts';
import { append } from './append.ts';
import { createHints } from './hints.ts';
import { lockFolder } from './lock.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { removeRun } from './remove-run.ts';
import { checkFormat, prepareSchema } from './schema.ts';
import { count, prepareStatements, text } from './statements.ts';
import { writing } from './transaction.ts';

/** One process has no use for more than one shard. */
const SHARDS = 1;

export interface SqliteStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** For looking: the file is not changed, and not made. */
  readonly readOnly?: boolean;
}

/** Facts in one file, for one process on one machine. What an append has answered survives the death of the process. */
export function createSqliteStore({ dataDir, clock, readOnly = false }: SqliteStoreOptions): Store {
  const path = join(dataDir, 'countersign.sqlite');
  if (readOnly && !existsSync(path)) {
    throw new StoreSetupError(`Nothing is stored in ${dataDir}. Set DATA_DIR, or REDIS_URL, to what the bot has.`);
  }
  if (!readOnly) makePrivateFolder(dataDir);
  const lock = lockFolder(dataDir);
  const database = openDatabase(path, { release: lock.release, readOnly });
  const statements = prepareStatements(database);
  const hints = createHints();
  // One process at a time: whoever was at work on something before this one is dead.
  if (!readOnly) statements.todoIsDue.run(clock.now());

  const write = writing(database);

  return {
    engine: 'sqlite',
    shards: SHARDS,

    append: async (request) => {
      checkAppend(request, SHARDS);
      const { answer, hints: news } = write(() => append(statements, request, clock.now()));
      const receivers = news.reduce((sum, hint) => sum + hints.publish(hint), 0);
      return answer.type === 'ok' ? { ...answer, receivers } : answer;
    },
    read: async (journal, from = 0) => ({
      entries: statements.entriesFrom
        .all(journal, from)
        .map((row) => ({ id: text(row, 'id'), text: text(row, 'text') })),
      version: count(statements.version.get(journal)),
      nowMs: clock.now(),
    }),
    journals: async (kind) =>
      readNames(
        kind,
        statements.journals.all(letterOf(kind)).map((row) => text(row, 'journal')),
      ),
    readItems: async (run, from = 0) => statements.itemsFrom.all(run, from).map((row) => text(row, 'text')),

    take: async ({ key, thread, item }) =>
      write(() => {
        const nowMs = clock.now();
        statements.forgetSeen.run(nowMs);
        if (statements.markSeen.run(key, nowMs + SEEN_MS).changes === 0) return 'seen';
        if (item !== undefined) {
          statements.addToInbox.run(thread, key, item);
          // Whoever works on the thread keeps its lease, and finds the message in the inbox.
          statements.todoUnless.run(thread, nowMs);
        }
        return 'taken';
      }),
    thread: async (thread) => {
      const row = statements.currentRun.get(thread);
      return {
        currentRun: row === undefined ? undefined : RunId.parse(text(row, 'run')),
        inbox: statements.inbox.all(thread).map((row) => ({ key: text(row, 'key'), item: text(row, 'item') })),
        nowMs: clock.now(),
      };
    },

    findApproval: async (approval) => {
      const row = statements.runOfApproval.get(approval);
      return row === undefined ? undefined : RunId.parse(text(row, 'run'));
    },
    members: async ({ what, of }) => statements.members.all(what, of).map((row) => text(row, 'member')),

    takePlace: async ({ index: { what, of }, member, most }) =>
      write(() => {
        if (statements.isMember.get(what, of, member) !== undefined) return true;
        if (count(statements.memberCount.get(what, of)) >= most) return false;
        statements.addMember.run(what, of, member);
        return true;
      }),

    claimTodo: async ({ limit, leaseMs }) =>
      write(() => {
        const nowMs = clock.now();
        const threads = statements.todoDue.all(nowMs, limit).map((row) => ThreadKey.parse(text(row, 'thread')));
        for (const thread of threads) statements.moveTodo.run(nowMs + leaseMs, thread);
        return threads;
      }),
    claimThread: async (thread, leaseMs, earlyMs = 0) => {
      const nowMs = clock.now();
      return statements.moveTodoIfDue.run(nowMs + leaseMs, thread, nowMs + earlyMs).changes === 1;
    },
    renewTodo: async (thread, leaseMs) => {
      statements.moveTodo.run(clock.now() + leaseMs, thread);
    },
    restTodo: async ({ thread, run, version, inboxLength }) =>
      write(() => {
        const row = statements.currentRun.get(thread);
        const current = row === undefined ? undefined : text(row, 'run');
        if (current !== run || count(statements.inboxCount.get(thread)) !== inboxLength) return false;
        if (run !== undefined && count(statements.version.get(run)) !== version) return false;
        statements.removeTodo.run(thread);
        return true;
      }),
    claimDue: async ({ limit, leaseMs }) =>
      write(() => {
        const nowMs = clock.now();
        const words = statements.dueNow.all(nowMs, limit).map((row) => text(row, 'word'));
        for (const word of words) statements.moveDue.run(nowMs + leaseMs, word);
        return words.flatMap((word) => readDueWord(word) ?? []);
      }),

    moveDue: async (item, inMs) => {
      if (inMs === 'never') statements.removeDue.run(dueWord(item));
      else statements.moveDue.run(clock.now() + inMs, dueWord(item));
    },
    removeRun: async (remains) => write(() => removeRun(statements, remains)),

    watch: async (listener) => hints.watch(listener),
    health: async () => {
      statements.todoDue.all(0, 1);
      return { warnings: [] };
    },
    close: async () => {
      if (!database.isOpen) return;
      database.close();
      lock.release();
    },
  };
}

function openDatabase(
  path: string,
  { release, readOnly }: { readonly release: () => void; readonly readOnly: boolean },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (!readOnly) makePrivateFile(path);
    database = new DatabaseSync(path, { readOnly });
    if (readOnly) {
      checkFormat(database, path);
      return database;
    }
    // FULL: a commit is on the disk before it is answered.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    prepareSchema(database, path);
    return database;
  } catch (cause) {
    database?.close();
    release();
    if (cause instanceof StoreSetupError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StoreSetupError(
      `Cannot open ${path}: ${why}. Restore it from a copy, or set DATA_DIR to another folder.`,
      {
        cause,
      },
    );
  }
}
