import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import { hasSealing } from './schema.ts';
import { text } from './statements.ts';
import type { Write } from './transaction.ts';

const SQL = {
  read: 'SELECT text FROM sealing',
  remove: 'DELETE FROM sealing',
  add: 'INSERT INTO sealing (text) VALUES (?)',
} as const;

/** The record of how the store is encrypted. A file of an older format, opened only to be read, has no place for it. */
export function sealing(database: DatabaseSync, write: Write): Pick<Store, 'sealing' | 'writeSealing'> {
  const read = (): string | undefined => {
    const row = hasSealing(database) ? database.prepare(SQL.read).get() : undefined;
    return row === undefined ? undefined : text(row, 'text');
  };
  return {
    sealing: async () => read(),
    writeSealing: async (text, before) =>
      write(() => {
        const there = read();
        if (there !== before && there !== text) return false;
        database.exec(SQL.remove);
        database.prepare(SQL.add).run(text);
        return true;
      }),
  };
}
