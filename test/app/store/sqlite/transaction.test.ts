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
