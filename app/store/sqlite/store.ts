import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../../clock.ts';
import { StoreSetupError, StoreUnavailableError } from '../errors.ts';
import type { Store } from '../store.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { createHints } from './hints.ts';
import { due, indexes } from './indexes.ts';
import { journals } from './journals.ts';
import { lockFolder } from './lock.ts';
import { makePrivateFolder } from './private-files.ts';
import { sealing } from './sealing.ts';
import { prepareStatements } from './statements.ts';
import { NEVER_MS, threads, todo } from './threads.ts';
import { writing, writingSoon, writingTogether, writingWhileThere } from './transaction.ts';

/** One process has no use for more than one shard. */
const SHARDS = 1;

export interface SqliteStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** For commands that only read, also beside a living bot: nothing is changed, created or locked. */
  readonly readOnly?: boolean;
  /** For commands that append, also beside a living bot: nothing is created or locked, and no work is taken up. */
  readonly beside?: boolean;
}

/** A command keeps no bot off the folder. */
const NO_LOCK = { release: () => {} };

/** Keeps facts in one file, for one process on one machine. An append that was answered survives the process. */
export function createSqliteStore({ dataDir, clock, readOnly = false, beside = false }: SqliteStoreOptions): Store {
  const path = join(dataDir, 'countersign.sqlite');
  const isBot = !readOnly && !beside;
  if (!isBot && !existsSync(path)) {
    throw new StoreSetupError(
      `Nothing is stored in ${resolve(dataDir)}. Set DATA_DIR or REDIS_URL to the store of the bot.`,
    );
  }
  const warnings = isBot ? makePrivateFolder(dataDir) : [];
  const lock = isBot ? lockFolder(dataDir) : NO_LOCK;
  const database = openDatabase(path, { release: lock.release, readOnly });
  const statements = prepareStatements(database);
  const hints = createHints();
  const open: OpenDatabase = { statements, write: writingWhileThere(path, writing(database)), clock };
  if (isBot) takeAllUp(open);

  return {
    isExclusive: isBot,
    shards: SHARDS,
    ...journals({ ...open, writeTogether: writingTogether(database, open.write), shards: SHARDS, hints }),
    ...threads(open),
    // No other process paints or publishes.
    claimPainting: async () => undefined,
    releasePainting: async () => {},
    claimHome: async () => 'unknown',
    keepHome: async () => true,
    ...todo({ ...open, writeSoon: writingSoon(database, open.write) }),
    ...indexes(open),
    ...due(open),
    ...sealing(database, open.write),
    watch: async (listener) => hints.watch(listener),
    health: async () => {
      if (!readOnly) tryToWrite(open);
      return { warnings };
    },
    close: async () => {
      if (!database.isOpen) return;
      database.close();
      lock.release();
    },
  };
}

/** One process at a time: the process that worked on a thread before this one is dead. */
function takeAllUp({ statements, write, clock }: OpenDatabase): void {
  try {
    write(() => statements.todoIsDue.run(clock.now(), NEVER_MS));
    // The file may be full. Its threads then come up when the leases of the dead process end.
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
}

/** As much as a usual append. */
const PROBE = 'health '.padEnd(16_384, 'x');
const LONG_AGO = 0;

/** Rejects when the file takes no write. A full file still answers every read. Nothing of the write stays. */
function tryToWrite({ statements, write }: OpenDatabase): void {
  write(() => {
    statements.markSeen.run(PROBE, LONG_AGO);
    statements.forgetSeen.run(LONG_AGO);
  });
}
