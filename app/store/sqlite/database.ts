import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import { errorText } from '../../log.ts';
import { StoreSetupError } from '../errors.ts';
import { makePrivateFile } from './private-files.ts';
import { checkFormat, prepareSchema } from './schema.ts';
import type { Statements } from './statements.ts';
import { isPassing, type Write } from './transaction.ts';

/** What each part of the engine works with. */
export interface OpenDatabase {
  readonly statements: Statements;
  readonly write: Write;
  readonly clock: Clock;
}

/** How long a reader waits where SQLite lets it wait for the bot: while the bot opens or closes the file. */
const READER_WAITS_MS = 2_000;

/** How long a writer waits while another program writes: `npm run tools -- allow` adds one entry beside the bot. */
const WRITER_WAITS_MS = 500;

const RESTORE = 'Restore it from a copy, or set DATA_DIR to another folder.';
const MAKE_ROOM =
  'See that its disk has room and that its folder can be written to, which SQLite needs to read it as well, and that no ' +
  'other program locks it.';

export function openDatabase(
  path: string,
  { release, readOnly }: { readonly release: () => void; readonly readOnly: boolean },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (readOnly) {
      database = new DatabaseSync(path, { readOnly, timeout: READER_WAITS_MS });
      if (checkFormat(database, path) > 0) return database;
      throw new StoreSetupError(`Nothing is stored in ${path} yet. Start the bot, then run the command again.`);
    }
    makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: WRITER_WAITS_MS });
    // FULL: a commit is on the disk before it is answered.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    prepareSchema(database, path);
    return database;
    // The file cannot be opened, is damaged, or has a newer format. The operator hears which file and what to do.
  } catch (cause) {
    database?.close();
    release();
    if (cause instanceof StoreSetupError) throw cause;
    const mend = isPassing(cause) ? MAKE_ROOM : RESTORE;
    throw new StoreSetupError(`Cannot open ${path}: ${errorText(cause)}. ${mend}`, { cause });
  }
}
