import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../app/store/errors.ts';
import { writing } from '../../../../app/store/sqlite/transaction.ts';

let folder: string;
let database: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-full-'));
  database = new DatabaseSync(join(folder, 'full.sqlite'));
  database.exec('CREATE TABLE facts (text TEXT)');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

it('an SQLite without room for a change refuses it as an outage, keeps no part of it, and takes it later (MF-4)', () => {
  const write = writing(database);
  const add = database.prepare('INSERT INTO facts (text) VALUES (?)');
  const change = () => {
    add.run('small');
    add.run('x'.repeat(1_000_000));
  };
  const count = () => database.prepare('SELECT COUNT(*) AS count FROM facts').get()?.count;

  database.exec('PRAGMA max_page_count = 10');
  expect(() => write(change)).toThrow(StoreUnavailableError);
  expect(() => write(change)).toThrow('SQLite refuses to write (database or disk is full).');
  expect(count()).toBe(0);

  database.exec('PRAGMA max_page_count = 10000');
  write(change);
  expect(count()).toBe(2);
});

it('an SQLite whose file cannot grow answers with an input-output error, and that is an outage too (EDGE-3)', () => {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    import { writing } from ${JSON.stringify(new URL('../../../../app/store/sqlite/transaction.ts', import.meta.url).href)};
    process.on('SIGXFSZ', () => {});
    const database = new DatabaseSync(${JSON.stringify(join(folder, 'short.sqlite'))});
    const write = writing(database);
    write(() => database.exec('CREATE TABLE facts (text TEXT)'));
    try {
      write(() => database.prepare('INSERT INTO facts (text) VALUES (?)').run('x'.repeat(1_000_000)));
    } catch (error) {
      console.log(error.name, error.cause.errcode & 0xff);
    }
    write(() => database.prepare('INSERT INTO facts (text) VALUES (?)').run('small'));
    console.log(database.prepare('SELECT COUNT(*) AS count FROM facts').get().count);
  `;
  // No file of this process may grow beyond 512 blocks.
  const limited = spawnSync('sh', [
    '-c',
    'ulimit -f 512; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    script,
  ]);

  expect(`${limited.stdout}`).toBe('StoreUnavailableError 10\n1\n');
});

it('a fault in a change itself is no outage (MF-4)', () => {
  const write = writing(database);

  expect(() => write(() => database.exec('INSERT INTO nowhere VALUES (1)'))).toThrow(
    expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }),
  );
});

it('a change that throws is rolled back, and its error reaches the caller unchanged', () => {
  const write = writing(database);
  const wrong = new TypeError('It is wrong.');

  expect(() =>
    write(() => {
      database.exec("INSERT INTO facts (text) VALUES ('half')");
      throw wrong;
    }),
  ).toThrow(wrong);
  expect(database.prepare('SELECT COUNT(*) AS count FROM facts').get()?.count).toBe(0);
});
