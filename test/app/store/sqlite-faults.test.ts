import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock, testClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import type { RunId, ThreadKey } from '../../../app/records/index.ts';
import { newId } from '../../../app/store/ids.ts';
import { SEEN_MS } from '../../../app/store/keys.ts';
import { openStore } from '../../../app/store/open.ts';
import { text } from '../../../app/store/sqlite/statements.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import { appendOf, newApproval, newRun, newThread } from '../../support/store.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (clock = systemClock) => createSqliteStore({ dataDir, clock });

/** Another process that appends until it is killed. Resolves when it has acknowledged `count` entries. */
async function appendElsewhere(run: RunId, thread: ThreadKey, count: number) {
  const program = join(import.meta.dirname, '../../fixtures/append-until-killed.ts');
  const child = spawn(process.execPath, [program, dataDir, run, thread], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const printed = { out: '', errors: '' };
  child.stderr.on('data', (chunk) => {
    printed.errors += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed.out += chunk;
      if (printed.out.split('\n').length > count) resolve();
    });
    gone.then(() => reject(new Error(printed.errors)));
  });
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
      return printed.out.split('\n').filter((id) => id !== '');
    },
  };
}

describe('the embedded store', () => {
  it('has every acknowledged append, and none of them half, after kill -9 at any moment (D13)', async () => {
    const thread = newThread();
    const run = newId('r', 0);
    const acknowledged: string[] = [];

    for (let round = 0; round < 8; round += 1) {
      const writer = await appendElsewhere(run, thread, 5 + round * 7);
      acknowledged.push(...(await writer.kill()));
    }

    const store = open();
    const ids = (await store.read(run)).entries.map(({ id }) => id);
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids).toEqual(ids.map((_, version) => `e${version}`));
    expect(await store.readItems(run)).toEqual(ids.map((id) => `item of ${id}`));
    expect([...(await store.members({ what: 'threads', of: 'T1' }))].sort()).toEqual([...ids].sort());
    await store.close();
  });

  it('refuses a second process on its file with a reason, and admits it when the first was killed', async () => {
    const writer = await appendElsewhere(newId('r', 0), newThread(), 1);

    expect(() => open()).toThrow(/Another process is using .+: the embedded store is for one process\. Stop the other/);
    await writer.kill();

    const store = open();
    expect((await store.health()).warnings).toEqual([]);
    await store.close();
  });

  it('refuses a second store in the same process too, until the first is closed', async () => {
    const first = open();

    expect(() => open()).toThrow(/Another process is using/);
    await first.close();

    await open().close();
  });

  it('opens again after it was closed', async () => {
    const before = open();
    const thread = newThread();
    const run = newRun(before, thread);
    const approval = newApproval(before, thread);
    await before.take({ key: 'a', thread, item: '"a"' });
    await before.append(appendOf(run, 0, { id: 'e', items: ['i'], effects: [{ type: 'approval', approval, run }] }));
    await before.close();

    const after = open();
    expect(await after.read(run)).toMatchObject({ version: 1, entries: [{ id: 'e', text: '{}' }] });
    expect(await after.readItems(run)).toEqual(['i']);
    expect(await after.findApproval(approval)).toBe(run);
    expect(await after.take({ key: 'a', thread, item: '"a"' })).toBe('seen');
    expect(await after.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([thread]);
    await after.close();
  });

  it('leaves a file of a newer version unchanged, and says so (FN4)', async () => {
    await open().close();
    const path = join(dataDir, 'countersign.sqlite');
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 99');
    newer.close();

    expect(() => open()).toThrow(
      /^Cannot open \S+countersign\.sqlite: it has format 99 and this version knows formats up to 2, so a newer version has/,
    );

    // The refused file is closed, so that SQLite has removed what it keeps beside an open file.
    expect(existsSync(`${path}-wal`)).toBe(false);
    const still = new DatabaseSync(path);
    expect(still.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    still.close();
  });

  it('says what to do where a folder cannot be made, such as where a file has its name', () => {
    const taken = join(dataDir, 'taken');
    writeFileSync(taken, '');

    expect(() => createSqliteStore({ dataDir: taken, clock: testClock() })).toThrow(
      /^The bot cannot keep its facts in the folder \S+taken: EEXIST: .*\. Set DATA_DIR to a folder that the account of the bot can/,
    );
  });

  it('names a file that is not its database, and releases the folder', async () => {
    const path = join(dataDir, 'countersign.sqlite');
    writeFileSync(path, 'Dear diary, today I was opened as a database.'.repeat(100));

    expect(() => open()).toThrow(`Cannot open ${path}: file is not a database. Restore it from a copy`);
    rmSync(path);

    await open().close();
  });

  it.each([false, true])(
    'advises no copy where the file is whole and SQLite cannot write beside it, such as on a full disk (read only: %s) (EDGE-3)',
    async (readOnly) => {
      await open().close();
      const path = join(dataDir, 'countersign.sqlite');
      mkdirSync(`${path}-wal`);

      expect(() => createSqliteStore({ dataDir, clock: systemClock, readOnly })).toThrow(
        `Cannot open ${path}: unable to open database file. See that its disk has room and that its folder can be written to`,
      );
      rmSync(`${path}-wal`, { recursive: true });

      await open().close();
    },
  );

  it('a command reads a journal as it is at one moment, although a bot appends to it meanwhile (EDGE-2)', async () => {
    const store = open();
    const run = newRun(store, newThread());
    await store.append(appendOf(run, 0));
    const reader = createSqliteStore({ dataDir, clock: systemClock, readOnly: true });
    const bot = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
    let position = 0;
    const appendAfter = <Answer>(answer: Answer): Answer => {
      position += 1;
      bot.exec(`INSERT INTO entries VALUES ('${run}', ${position}, 'e${position}', '{}')`);
      return answer;
    };
    const { all, get } = StatementSync.prototype;
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
      return appendAfter(all.apply(this, values));
    });
    vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (this: StatementSync, ...values) {
      return appendAfter(get.apply(this, values));
    });

    const { version, entries } = await reader.read(run);
    vi.restoreAllMocks();

    expect(position).toBeGreaterThan(1);
    expect(entries).toHaveLength(version);
    bot.close();
    await reader.close();
    await store.close();
  });

  it('names a folder that it cannot lock', () => {
    mkdirSync(join(dataDir, 'countersign.lock'));

    expect(() => open()).toThrow(
      `Cannot lock ${join(dataDir, 'countersign.lock')}. See that the folder can be written to.`,
    );
  });

  it('has nothing for a reader in a file to which no bot has written', () => {
    const path = join(dataDir, 'countersign.sqlite');
    writeFileSync(path, '');

    expect(() => createSqliteStore({ dataDir, clock: systemClock, readOnly: true })).toThrow(
      `Nothing is stored in ${path} yet. Start the bot`,
    );
  });

  it('the embedded store waits while a command adds an entry beside it (EDGE-8)', async () => {
    const store = open();
    const script = `
      const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
      database.exec('BEGIN IMMEDIATE');
      process.stdout.write('held');
      setTimeout(() => database.exec('COMMIT'), 100);`;
    const other = spawn(process.execPath, ['-e', script, join(dataDir, 'countersign.sqlite')]);
    await new Promise((resolve) => other.stdout.once('data', resolve));

    await expect(store.health()).resolves.toEqual({ warnings: [] });
    await store.close();
  });

  it('opens while another program locks its file, reports that it cannot write, and leaves no trace of the try', async () => {
    await open().close();
    const other = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
    other.exec('BEGIN IMMEDIATE');

    const store = open();
    await expect(store.health()).rejects.toThrow('SQLite refuses to write (database is locked).');
    other.exec('ROLLBACK');

    expect(await store.health()).toEqual({ warnings: [] });
    expect(other.prepare('SELECT COUNT(*) AS count FROM seen').get()).toEqual({ count: 0 });
    other.close();
    await store.close();
  });

  it('writes a row to see that it can write', async () => {
    const store = open();
    const other = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
    other.exec("CREATE TRIGGER full BEFORE INSERT ON seen BEGIN SELECT RAISE(ABORT, 'no room for a row'); END");

    await expect(store.health()).rejects.toThrow('no room for a row');
    other.close();
    await store.close();
  });

  it('refuses a column that holds no text', () => {
    expect(() => text({ run: 1 }, 'run')).toThrow('Column run holds no text. The database was changed by hand');
  });

  it('counts this process as one receiver of a hint, however many parts of it watch', async () => {
    const store = open();
    const [thread, listener] = [newThread(), { onHint: () => {}, onGap: () => {} }];
    const hint = { thread, run: newRun(store, thread), version: 1 };
    for (const _watcher of ['one', 'two']) await store.watch(listener);

    const effects = [{ type: 'hint', hint } as const];
    expect(await store.append(appendOf(hint.run, 0, { effects }))).toMatchObject({ receivers: 1 });
    await store.close();
  });

  it('makes the folder that the deployment names', async () => {
    const store = await openStore({ dataDir: join(dataDir, 'a', 'b'), clock: systemClock, log: silentLog });

    expect(store.isExclusive).toBe(true);
    expect(store.patient.isExclusive).toBe(true);
    await store.close();
  });
});

describe('the clock of the embedded store', () => {
  it('decides what is late (D14, FT1)', async () => {
    const clock = testClock(1_000);
    const store = open(clock);
    const run = newRun(store, newThread());

    expect(await store.append(appendOf(run, 0, { notAfterMs: 1_000 }))).toMatchObject({ type: 'ok' });
    clock.advance(1);
    expect(await store.append(appendOf(run, 1, { notAfterMs: 1_000 }))).toEqual({ type: 'late', nowMs: 1_001 });
    await store.close();
  });

  it('decides what is due, to the millisecond, and when a lease is over', async () => {
    const clock = testClock(1_000);
    const store = open(clock);
    const thread = newThread();
    const item = { what: 'expiry', subject: newApproval(store, thread) } as const;
    const claims = async () => [
      await store.claimDue({ limit: 9, leaseMs: 100 }),
      await store.claimTodo({ limit: 9, leaseMs: 100 }),
    ];
    await store.append(
      appendOf(newRun(store, thread), 0, {
        effects: [
          { type: 'due', item, atMs: 1_500 },
          { type: 'todo', thread, inMs: 500 },
        ],
      }),
    );

    clock.advance(499);
    expect(await claims()).toEqual([[], []]);
    clock.advance(1);
    expect(await claims()).toEqual([[item], [thread]]);
    clock.advance(99);
    expect(await claims()).toEqual([[], []]);
    clock.advance(1);
    expect(await claims()).toEqual([[item], [thread]]);
    await store.close();
  });

  it('forgets a delivery when Slack can no longer send it again (FS1)', async () => {
    const clock = testClock(1_000);
    const store = open(clock);
    const delivery = { key: 'a', thread: newThread() };

    expect(await store.take(delivery)).toBe('taken');
    clock.advance(SEEN_MS - 1);
    expect(await store.take(delivery)).toBe('seen');
    clock.advance(1);
    expect(await store.take(delivery)).toBe('taken');
    await store.close();
  });
});
