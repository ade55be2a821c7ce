import type { DatabaseSync } from 'node:sqlite';
import { StoreSetupError } from '../errors.ts';

/** The format that this version writes. A change of the tables raises it, and adds here how to convert an older file. */
const FORMAT = 2;
/** From this format on, a file has the record of how it is encrypted. */
const FORMAT_WITH_SEALING = 2;

/** Makes the tables in a new file, and those that a file of an older version lacks. */
export function prepareSchema(database: DatabaseSync, path: string): void {
  const format = checkFormat(database, path);
  if (format === FORMAT) return;
  const tables = format === 0 ? TABLES + SEALING : SEALING;
  database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${FORMAT}; COMMIT;`);
}

export function hasSealing(database: DatabaseSync): boolean {
  return formatOf(database) >= FORMAT_WITH_SEALING;
}

/** Refuses a file of a newer version, because this version could misread it. */
export function checkFormat(database: DatabaseSync, path: string): number {
  const format = formatOf(database);
  if (format > FORMAT) {
    throw new StoreSetupError(
      `Cannot open ${path}: it has format ${format} and this version knows formats up to ${FORMAT}, so a newer ` +
        'version has written it. Start that version again, or set DATA_DIR to another folder.',
    );
  }
  return format;
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * One row for each entry: the primary key lets exactly one writer have a version. The names are those of the Redis keys
 * in `keys.ts`.
 */
const TABLES = `
  CREATE TABLE entries (
    journal TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (journal, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE items (
    run TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT;
  CREATE TABLE approvals (approval TEXT PRIMARY KEY, run TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE threads (thread TEXT PRIMARY KEY, run TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, key TEXT NOT NULL, item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_of_thread ON inbox (thread, number);
  CREATE TABLE seen (key TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_until ON seen (until_ms);
  CREATE TABLE todo (thread TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX todo_at ON todo (at_ms);
  CREATE TABLE due (word TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX due_at ON due (at_ms);
  CREATE TABLE members (
    list TEXT NOT NULL, name TEXT NOT NULL, member TEXT NOT NULL,
    PRIMARY KEY (list, name, member)
  ) STRICT, WITHOUT ROWID;
`;

const SEALING = 'CREATE TABLE sealing (text TEXT NOT NULL) STRICT;';
