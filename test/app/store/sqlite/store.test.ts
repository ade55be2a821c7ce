import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../app/clock.ts';
import { UserId } from '../../../../app/records/index.ts';
import { createSqliteStore } from '../../../../app/store/sqlite/store.ts';
import { newThread } from '../../../support/store.ts';
import { describeStore } from '../contract.ts';

describeStore('the embedded store', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const store = createSqliteStore({ dataDir, clock: systemClock });
  return {
    store,
    other: store,
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});

it('refuses writes while another file is in the place of its own, and takes them again when its own is back (EDGE-3)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const path = join(dataDir, 'countersign.sqlite');
  const before = createSqliteStore({ dataDir, clock: systemClock });
  await before.close();
  copyFileSync(path, `${path}.copy`);
  const store = createSqliteStore({ dataDir, clock: systemClock });
  renameSync(path, `${path}.moved`);
  renameSync(`${path}.copy`, path);
  await pause(50);

  await expect(store.take({ key: 'm/C1/1', thread: newThread(), item: '{}' })).rejects.toThrow('moved or replaced');
  await expect(store.health()).rejects.toThrow('moved or replaced');
  renameSync(`${path}.moved`, path);

  expect(await store.take({ key: 'm/C1/1', thread: newThread(), item: '{}' })).toBe('taken');
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('refuses writes while the file of its latest changes is gone, because they would end with the process (EDGE-3)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const latest = join(dataDir, 'countersign.sqlite-wal');
  const store = createSqliteStore({ dataDir, clock: systemClock });
  renameSync(latest, `${latest}.moved`);
  await pause(50);

  await expect(store.take({ key: 'm/C1/1', thread: newThread(), item: '{}' })).rejects.toThrow(
    'Or stop the bot, which writes all',
  );
  renameSync(`${latest}.moved`, latest);

  expect(await store.take({ key: 'm/C1/1', thread: newThread(), item: '{}' })).toBe('taken');
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('gives a thread that a dead process had claimed to the next one at once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const hour = { limit: 10, leaseMs: 3_600_000 };
  const thread = newThread();
  const before = createSqliteStore({ dataDir, clock: systemClock });
  await before.take({ key: 'm/C1/1', thread, item: '{}' });
  expect(await before.claimTodo(hour)).toEqual([thread]);
  expect(await before.claimTodo(hour)).toEqual([]);
  await before.close();

  const after = createSqliteStore({ dataDir, clock: systemClock });
  expect(await after.claimTodo(hour)).toEqual([thread]);
  await after.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('the embedded store leaves each Home page to its one process, which itself knows what it sent (SURF-3)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const store = createSqliteStore({ dataDir, clock: systemClock });
  const page = { person: { team: 'T1', user: UserId.parse('U1') }, by: 'a', forMs: 60_000 };

  expect(await store.claimHome(page)).toBe('unknown');
  expect(await store.keepHome(page, 'what it shows')).toBe(true);
  expect(await store.claimHome(page)).toBe('unknown');
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it('is not opened when its list of threads refuses a change for another reason than a lack of room', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const before = createSqliteStore({ dataDir, clock: systemClock });
  await before.take({ key: 'm/C1/1', thread: newThread(), item: '{}' });
  await before.close();
  const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
  database.exec("CREATE TRIGGER broken BEFORE UPDATE ON todo BEGIN SELECT RAISE(ABORT, 'no change'); END");
  database.close();

  expect(() => createSqliteStore({ dataDir, clock: systemClock })).toThrow('no change');

  rmSync(dataDir, { recursive: true, force: true });
});
