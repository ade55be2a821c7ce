import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../log.ts';
import { StoreUnavailableError } from '../errors.ts';

/** Makes a change as a whole or not at all. */
export type Write = <Answer>(change: () => Answer) => Answer;

export function writing(database: DatabaseSync): Write {
  // The write lock is taken at the start: a transaction that reads first and writes later could be refused in between.
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
  return (change) => {
    try {
      begin.run();
      const answer = change();
      commit.run();
      return answer;
      // SQLite or the change itself may throw at any line. Nothing of the change stays, and the caller hears why.
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw inWords(error);
    }
  };
}

/**
 * As `writing`, while the files that were opened are in their places. SQLite would go on with one that was removed, and all of that is
 * lost when the process ends. Beside a copy that was put in its place, it would damage the copy.
 */
export function writingWhileThere(path: string, write: Write): Write {
  const opened = [path, `${path}-wal`].map((file) => ({ file, place: placeOf(file) }));
  let thereMs = Number.NEGATIVE_INFINITY;
  return (change) => {
    const nowMs = performance.now();
    if (nowMs - thereMs > LOOK_EVERY_MS) {
      const lost = opened.find(({ file, place }) => place !== undefined && placeOf(file) !== place);
      if (lost !== undefined) throw new StoreUnavailableError(notThere(path, lost.file));
      thereMs = nowMs;
    }
    return write(change);
  };
}

function placeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}/${found.ino}`;
}

function notThere(path: string, file: string): string {
  const otherwise =
    file === path
      ? `Or stop the bot, remove ${path}-wal and ${path}-shm, put a copy in its place, and start the bot.`
      : `Or stop the bot, which writes all that it holds into ${path}, and start it again.`;
  return `${file} is not the file any more that the bot has opened: it was removed, moved or replaced. Nothing is recorded. Move it back. ${otherwise}`;
}

/** A run writes a dozen times within a few milliseconds, and each look costs a few hundredths of that. */
const LOOK_EVERY_MS = 20;

/** As `writing`, without the wait for the disk. The change survives the death of the process, but not a loss of power. */
export function writingSoon(database: DatabaseSync, write: Write): Write {
  return (change) => {
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      return write(change);
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
  };
}

/** Makes a change in one transaction with others that are asked for at nearly the same time. Resolves once it is on the disk. */
export type WriteTogether = <Answer>(change: () => Answer) => Promise<Answer>;

/** Most of a small change is the wait for the disk, so a hundred runs that write at once wait once. */
export function writingTogether(database: DatabaseSync, write: Write): WriteTogether {
  let waiting: Asked[] = [];
  const writeAll = (): void => {
    const asked = waiting;
    waiting = [];
    try {
      // One of several that fails is taken back alone. A single one is the whole transaction.
      const isOnly = asked.length === 1;
      const settle = write(() => asked.map((one) => (isOnly ? one.make() : makeApart(database, one))));
      for (const tell of settle) tell();
      // Nothing of the transaction stays, so each caller hears that its change was not made.
    } catch (error) {
      for (const { refuse } of asked) refuse(error);
    }
  };
  return (change) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(writeAll);
      const make = () => {
        const answer = change();
        return () => resolve(answer);
      };
      waiting.push({ make, refuse: reject });
    });
}

interface Asked {
  /** Makes the change, and returns what tells its caller after the commit. */
  readonly make: () => () => void;
  readonly refuse: (error: unknown) => void;
}

function makeApart(database: DatabaseSync, { make, refuse }: Asked): () => void {
  database.exec('SAVEPOINT one');
  try {
    const tell = make();
    database.exec('RELEASE one');
    return tell;
    // The change may be refused, or SQLite may fail in it. A full disk may have ended the whole transaction.
  } catch (error) {
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO one; RELEASE one');
    return () => refuse(inWords(error));
  }
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN: SQLite may write again later. */
const PASSING = [5, 6, 7, 8, 10, 13, 14];

/** SQLite's number for the kind of an error, in the lowest byte of what it gives; 0 for an error of something else. */
export function kindOf(error: unknown): number {
  const { errcode }: { readonly errcode?: unknown } = Object(error);
  return Number(errcode) & 0xff;
}

export function isPassing(error: unknown): error is Error {
  return error instanceof Error && PASSING.includes(kindOf(error));
}

function inWords(error: unknown): unknown {
  if (!isPassing(error)) return error;
  return new StoreUnavailableError(
    `SQLite refuses to write (${errorText(error)}). See that its disk has room and that no other program locks the file.`,
    { cause: error },
  );
}
