import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../app/store/errors.ts';
import { writing, writingSoon, writingTogether } from '../../../../app/store/sqlite/transaction.ts';

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

it('a change that need not be on the disk waits for no disk, and the next one does again, even after a failure', () => {
  database.exec('PRAGMA synchronous = FULL');
  const synchronous = () => database.prepare('PRAGMA synchronous').get()?.synchronous;
  const [NORMAL, FULL] = [1, 2];
  const write = writingSoon(database, writing(database));

  expect([write(synchronous), synchronous()]).toEqual([NORMAL, FULL]);
  expect(() =>
    write(() => {
      throw new Error('It does not fit.');
    }),
  ).toThrow('It does not fit.');
  expect(synchronous()).toBe(FULL);
});

describe('changes that are asked for at once', () => {
  /** A file to which changes are written together, and how often SQLite was told to commit. */
  const together = () => {
    let commits = 0;
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (sql !== 'COMMIT') return statement;
      const commit = statement.run.bind(statement);
      statement.run = () => {
        commits += 1;
        return commit();
      };
      return statement;
    };
    const add = database.prepare('INSERT INTO facts (text) VALUES (?)');
    const write = writingTogether(database, writing(database));
    const facts = () =>
      database
        .prepare('SELECT text FROM facts')
        .all()
        .map(({ text }) => text);
    return { write, add, facts, commits: () => commits };
  };

  it('wait for the disk once, and each caller gets its own answer', async () => {
    const { write, add, facts, commits } = together();
    const names = Array.from({ length: 100 }, (_, index) => `fact ${index}`);

    const answers = await Promise.all(names.map((name) => write(() => add.run(name) && name)));

    expect(answers).toEqual(names);
    expect(facts()).toEqual(names);
    expect(commits()).toBe(1);
  });

  it('do not depend on each other: one that fails is taken back whole, and the others are made', async () => {
    const { write, add, facts } = together();
    const fails = write(() => {
      add.run('half of it');
      throw new Error('It does not fit.');
    });

    const all = await Promise.allSettled([write(() => add.run('before')), fails, write(() => add.run('after'))]);

    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(fails).rejects.toThrow('It does not fit.');
    expect(facts()).toEqual(['before', 'after']);
  });

  it('are answered only after the commit', async () => {
    const { write, add, commits } = together();
    const seen: number[] = [];

    await Promise.all(['a', 'b'].map((name) => write(() => add.run(name)).then(() => seen.push(commits()))));

    expect(seen).toEqual([1, 1]);
  });

  it('are all refused as an outage when SQLite cannot commit them, and made when it can', async () => {
    const { write, add, facts } = together();
    const other = new DatabaseSync(join(folder, 'full.sqlite'));
    other.exec('BEGIN IMMEDIATE');

    const refused = await Promise.allSettled(['a', 'b'].map((name) => write(() => add.run(name))));
    other.exec('ROLLBACK');
    other.close();
    await write(() => add.run('c'));

    expect(refused.map((one) => one.status === 'rejected' && one.reason)).toEqual([
      expect.any(StoreUnavailableError),
      expect.any(StoreUnavailableError),
    ]);
    expect(facts()).toEqual(['c']);
  });

  it('are refused when one of them fills the disk, except those that fit', async () => {
    const { write, add, facts } = together();
    database.exec('PRAGMA max_page_count = 10');

    const all = await Promise.allSettled([
      write(() => add.run('small')),
      write(() => add.run('x'.repeat(1_000_000))),
      write(() => add.run('small too')),
    ]);

    // What SQLite says counts for each of them: no caller hears of a change that is not there.
    const made = all.flatMap(({ status }, at) => (status === 'fulfilled' ? [['small', 'x', 'small too'][at]] : []));
    expect(facts()).toEqual(made);
    expect(all[1]).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
  });
});
