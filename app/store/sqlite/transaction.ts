import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../errors.ts';

/** Makes a change as a whole or not at all. */
export type Write = <Answer>(change: () => Answer) => Answer;

export function writing(database: DatabaseSync): Write {
  return (change) => {
    try {
      // The write lock is taken at the start: a transaction that reads first and writes later could be refused in between.
      database.exec('BEGIN IMMEDIATE');
      const answer = change();
      database.exec('COMMIT');
      return answer;
      // SQLite or the change itself may throw at any line. Nothing of the change stays, and the caller hears why.
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw inWords(error);
    }
  };
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN: SQLite may write again later. */
const PASSING = [5, 6, 7, 8, 10, 13, 14];

/** SQLite's number for the kind of an error, in the lowest byte of what it gives; 0 for an error of something else. */
export function kindOf(error: unknown): number {
  const { errcode }: { readonly errcode?: unknown } = Object(error);
  return Number(errcode) & 0xff;
}

function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || !PASSING.includes(kindOf(error))) return error;
  return new StoreUnavailableError(
    `SQLite refuses to write (${error.message}). See that its disk has room and that no other program locks the file.`,
    { cause: error },
  );
}
