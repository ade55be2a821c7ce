import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/*
 * Loaded into a bot before all else. While `full` lies in its folder, the real SQLite finds no room at the end of any
 * change, and refuses it with SQLITE_FULL.
 */

const { exec } = DatabaseSync.prototype;
const isFull = () => existsSync(join(process.env.DATA_DIR ?? '', 'full'));

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (sql === 'COMMIT' && isFull()) {
    exec.call(this, 'PRAGMA max_page_count = 1');
    exec.call(this, 'CREATE TABLE IF NOT EXISTS filler (room BLOB); INSERT INTO filler VALUES (zeroblob(1000000))');
  }
  exec.call(this, 'PRAGMA max_page_count = 4294967294');
  exec.call(this, sql);
};
