import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store, StoredText, StoreRecord } from '../store.ts';
import { lockFolder } from './lock.ts';
import { hasSealing } from './schema.ts';
import { text } from './statements.ts';
import type { Write } from './transaction.ts';

const RECORDS = {
  sealing: {
    read: 'SELECT text FROM sealing',
    remove: 'DELETE FROM sealing',
    add: 'INSERT INTO sealing (text) VALUES (?)',
  },
  // A member of a list in its name, so that a file of an older version needs no change.
  owner: {
    read: "SELECT member AS text FROM members WHERE list = 'owner'",
    remove: "DELETE FROM members WHERE list = 'owner'",
    add: "INSERT INTO members (list, name, member) VALUES ('owner', '', ?)",
  },
} as const;

const SQL = {
  // Sent again after it took effect, each finds the new text and changes nothing.
  entry: 'UPDATE entries SET text = ? WHERE text IN (?, ?) AND journal = ? AND position = ?',
  item: 'UPDATE items SET text = ? WHERE text IN (?, ?) AND run = ? AND position = ?',
  inbox: 'UPDATE inbox SET item = ? WHERE item IN (?, ?) AND thread = ? AND key = ?',
  installation: 'UPDATE members SET member = ? WHERE member IN (?, ?) AND list = ? AND name = ?',
} as const;

/**
 * The records about the whole store, and the change of what is encrypted. A file of an older format, opened only to be
 * read, has no place for the record of that.
 */
export function sealing(database: DatabaseSync, write: Write): Pick<Store, 'record' | 'writeRecord' | 'reseal'> {
  const read = (of: StoreRecord): string | undefined => {
    const isKept = of !== 'sealing' || hasSealing(database);
    const row = isKept ? database.prepare(RECORDS[of].read).get() : undefined;
    return row === undefined ? undefined : text(row, 'text');
  };
  return {
    record: async (of) => read(of),
    writeRecord: async (of, text, before) =>
      write(() => {
        const there = read(of);
        if (there !== before && there !== text) return false;
        database.exec(RECORDS[of].remove);
        database.prepare(RECORDS[of].add).run(text);
        return true;
      }),
    reseal: async (at, before, after) =>
      write(() => database.prepare(SQL[at.type]).run(after, before, after, ...rowOf(at)).changes === 1),
  };
}

function rowOf(at: StoredText): readonly (string | number)[] {
  switch (at.type) {
    case 'entry':
      return [at.journal, at.position];
    case 'item':
      return [at.run, at.position];
    case 'inbox':
      return [at.thread, at.key];
    case 'installation':
      return [at.index.what, at.index.of];
  }
}

const READERS_MAY_TAKE_MS = 5_000;

/** Writes the file anew without its free pages, which hold what was replaced or removed. */
export function rewriteFile(dataDir: string): void {
  const lock = lockFolder(dataDir);
  const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'), { timeout: READERS_MAY_TAKE_MS });
  try {
    database.exec('VACUUM');
  } finally {
    database.close();
    lock.release();
  }
}
