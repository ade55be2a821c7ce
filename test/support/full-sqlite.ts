import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/*
 * Loaded into a bot before all else. While `full` lies in its folder, the real SQLite finds no room at the end of any
 * change, and refuses it with SQLITE_FULL.
 */

const { prepare } = DatabaseSync.prototype;
const isFull = () => existsSync(join(process.env.DATA_DIR ?? '', 'full'));

DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  if (sql !== 'COMMIT') return statement;
  const commit = statement.run.bind(statement);
  statement.run = () => {
    if (isFull()) fill(this);
    return commit();
  };
  return statement;
};

function fill(database: DatabaseSync): void {
  database.exec('PRAGMA max_page_count = 1');
  try {
    database.exec('CREATE TABLE IF NOT EXISTS filler (room BLOB); INSERT INTO filler VALUES (zeroblob(1000000))');
  } finally {
    database.exec('PRAGMA max_page_count = 4294967294');
  }
}
