import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { ThreadKey } from '../../../app/records/index.ts';
import { newId } from '../../../app/store/ids.ts';
import { openStore } from '../../../app/store/open.ts';
import { openToRotate } from '../../../app/store/rotate.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import type { Store } from '../../../app/store/store.ts';
import { runId } from '../../support/journal.ts';
import { all, boxOf, readAll, versionsTo, write } from '../../support/numbered-run.ts';
import { emptyRedis } from '../../support/redis.ts';
import { appendOf } from '../../support/store.ts';

const THREAD = ThreadKey.parse('T1:C1:1.0');

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-rotate-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const given = { clock: systemClock, log: silentLog };
const openAt = (...numbers: readonly number[]) => openStore({ ...given, dataDir, box: boxOf(...numbers) });

const openRotation = (...numbers: readonly number[]) => openToRotate({ ...given, dataDir, box: boxOf(...numbers) });
/** Runs and ends a rotation on the embedded store. */
async function rotated(...numbers: readonly number[]) {
  const rotation = await openRotation(...numbers);
  return rotation.rotate().finally(rotation.close);
}

describe('a rotation (T16)', () => {
  it('encrypts what is in clear, under an older key or of an older version, and nothing twice (EDGE-1)', async () => {
    const former = createSqliteStore({ ...given, dataDir });
    await write(former, [0, 1]);
    const item = `sealed:${boxOf(1).encrypt('item 2', `items ${runId()}`)}`;
    await former.append(appendOf(runId(), 2, { text: '"entry 2"', items: [item] }));
    await former.take({ key: 'clear', thread: THREAD, item: '"clear"' });
    const message = `sealed:${boxOf(1).encrypt('"former"', `inbox ${THREAD}`)}`;
    await former.take({ key: 'former', thread: THREAD, item: message });
    const others = [newId('g', 0), newId('w', 0)];
    for (const other of others) await former.append(appendOf(other, 0, { text: '"another journal"' }));
    await former.close();
    const keyed = await openAt(1);
    await write(keyed, [3]);
    await keyed.close();

    expect(await rotated(2, 1)).toEqual({ entries: 6, items: 4, messages: 2 });
    expect(await rotated(2)).toEqual({ entries: 0, items: 0, messages: 0 });

    const store = await openAt(2);
    expect(await readAll(store)).toEqual(all(4));
    expect((await store.thread(THREAD)).inbox).toEqual([
      { key: 'clear', item: '"clear"' },
      { key: 'former', item: '"former"' },
    ]);
    for (const other of others)
      expect((await store.read(other)).entries).toMatchObject([{ text: '"another journal"' }]);
    await store.close();
    await expect(openAt(1)).rejects.toThrow(/no key in DATA_KEY opens it/);
  });

  it('leaves nothing in the file of what it replaced (EDGE-1)', async () => {
    const former = createSqliteStore({ ...given, dataDir });
    await write(former, versionsTo(60));
    await former.close();
    await rotated(1);

    expect(readdirSync(dataDir)).toEqual(['countersign.lock', 'countersign.sqlite']);
    const bytesThere = readFileSync(join(dataDir, 'countersign.sqlite'), 'latin1');
    expect(bytesThere).toContain('sealed:');
    expect(bytesThere).not.toMatch(/"entry \d+"|item \d+/);
  });

  it('is refused where nothing is stored, creates nothing there, and does not keep the folder (EDGE-1)', async () => {
    await expect(openRotation(1)).rejects.toThrow('Nothing is stored in');
    expect(readdirSync(dataDir)).toEqual([]);

    await createSqliteStore({ ...given, dataDir }).close();
    await expect(openRotation(1)).rejects.toThrow('Nothing of Countersign is stored there.');
    await createSqliteStore({ ...given, dataDir }).close();
  });

  it('makes the key necessary before it encrypts the first text (EDGE-1)', async () => {
    const former = createSqliteStore({ ...given, dataDir });
    await write(former, [0]);
    await former.close();

    await (await openRotation(1)).close();

    await expect(openStore({ ...given, dataDir })).rejects.toThrow('DATA_KEY is not set');
  });

  it('leaves a store that takes no text in clear, not even where there was some (EDGE-1)', async () => {
    const former = createSqliteStore({ ...given, dataDir });
    await write(former, [0, 1]);
    await former.close();
    await rotated(1);
    const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
    database.exec('UPDATE entries SET text = \'"forged"\'');
    database.close();

    const store = await openAt(1);
    await expect(store.read(runId())).rejects.toThrow(/in clear, and everything in this store is encrypted/);
    await store.close();
  });

  it('stops at a text that no bot can have written, and changes no record (EDGE-1)', async () => {
    const store = await openAt(1);
    await write(store, [0, 1]);
    await store.close();
    const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
    database.exec('UPDATE entries SET text = \'"forged"\' WHERE position = 1');
    database.close();

    await expect(rotated(2, 1)).rejects.toThrow(/entry .* 1 is in clear/);
    await (await openAt(1, 2)).close();
  });

  it('is refused while a process writes with an older key, and says what to do (EDGE-1)', async () => {
    const redisUrl = await emptyRedis();
    const old = await openStore({ ...given, dataDir, redisUrl, box: boxOf(1) });
    await write(old, [0]);
    const rotation = await openToRotate({ ...given, dataDir, redisUrl, box: boxOf(2, 1) });
    let over = false;
    const writing = async () => {
      for (let version = 1; !over; version += 1) await write(old, [version]);
    };
    const wrote = writing();

    await expect(rotation.rotate()).rejects.toThrow(/Another process writes with other keys\. Give every process/);
    over = true;
    await wrote;
    await Promise.all([rotation.close(), old.close()]);
    expect(existsSync(join(dataDir, 'countersign.lock'))).toBe(false);
  });
});

describe('the record of the keys (T16)', () => {
  it('is begun once by many processes that start at the same moment, and each new key is added to it (EDGE-1)', async () => {
    const redisUrl = await emptyRedis();
    const start = (...numbers: readonly number[]) => openStore({ ...given, dataDir, redisUrl, box: boxOf(...numbers) });
    const words = async (store: Store) => (await store.record('sealing'))?.split(' ').length;

    const first = await Promise.all([start(1), start(1), start(1)]);
    expect(await Promise.all(first.map(words))).toEqual([1, 1, 1]);
    const second = await Promise.all([start(2, 1), start(3, 1), start(2, 1)]);
    expect(await Promise.all(second.map(words))).toEqual([3, 3, 3]);
    await Promise.all([...first, ...second].map((store) => store.close()));
  });
});
