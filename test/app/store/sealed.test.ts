import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { createLog, silentLog } from '../../../app/log.ts';
import { createWorkspaceJournal } from '../../../app/recorder/index.ts';
import { type JournalName, ThreadKey, UserId } from '../../../app/records/index.ts';
import { createSecretBox, type DataKeys } from '../../../app/secrets/box.ts';
import { newEntryId } from '../../../app/store/ids.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import { type OpenedStore, openStore } from '../../../app/store/open.ts';
import { sealStore } from '../../../app/store/sealed.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import type { AppendRequest, Hint } from '../../../app/store/store.ts';
import { runId } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { emptyRedis } from '../../support/redis.ts';

const key = (byte: number): DataKeys => [createSecretKey(Buffer.alloc(32, byte))];
const CANARY = 'canary-in-the-store';
const THREAD = ThreadKey.parse('T1:C1:1.0');

let dataDir: string;
let store: OpenedStore | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-sealed-'));
});
afterEach(async () => {
  await store?.close();
  rmSync(dataDir, { recursive: true });
});

async function open(keys?: DataKeys, more: { readonly readOnly?: boolean } = {}): Promise<OpenedStore> {
  await store?.close();
  store = undefined;
  const box = keys === undefined ? {} : { box: createSecretBox(keys) };
  store = await openStore({ dataDir, clock: systemClock, log: silentLog, ...box, ...more });
  return store;
}

/** One entry, and items if the test wants some. */
const append = (version: number, more: Partial<AppendRequest> = {}): AppendRequest => ({
  journal: runId(),
  expectedVersion: version,
  entries: [{ id: `e${version}`, text: `"entry ${version}"` }],
  effects: [],
  ...more,
});
const item = (text: string, version = 0) => append(version, { items: [text], itemsFrom: version });
const texts = async (from = 0, journal: JournalName = runId()): Promise<readonly string[]> =>
  ((await store?.read(journal, from))?.entries ?? []).map(({ text }) => text);

/** What a caller is told, or that it is told nothing. */
const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'not refused',
    (error: unknown) => String(error),
  );

/** Changes the file past the bot. */
async function past(change: string, ...values: readonly (string | number)[]): Promise<void> {
  await store?.close();
  store = undefined;
  const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
  database.prepare(change).run(...values);
  database.close();
}

const onDisk = (): string =>
  readdirSync(dataDir)
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('\n');

describe('a store with a key (T16)', () => {
  it('holds no readable word of what people and models wrote, and gives all of it back (EDGE-1)', async () => {
    const sealed = await open(key(1));
    await sealed.append({ ...item(CANARY), entries: [{ id: 'e0', text: JSON.stringify(CANARY) }] });
    await sealed.patient.take({ key: 'k', thread: THREAD, item: JSON.stringify(CANARY) });

    expect(onDisk()).not.toContain(CANARY);
    expect(onDisk()).toContain('sealed:');
    expect(await texts()).toEqual([JSON.stringify(CANARY)]);
    expect(await sealed.readItems(runId())).toEqual([CANARY]);
    expect((await sealed.patient.thread(THREAD)).inbox).toEqual([{ key: 'k', item: JSON.stringify(CANARY) }]);
  });

  it('encrypts the entries of a second journal that an append takes along (EDGE-1)', async () => {
    const opened = await open(key(1));
    const workspace = workspaceOf('T1', 1);
    const beside = { journal: workspace, expectedVersion: 0, entries: [{ id: 'begun', text: `"${CANARY}"` }] };
    await opened.append(append(0, { beside }));

    expect(onDisk()).not.toContain(CANARY);
    expect(await texts(0, workspace)).toEqual([`"${CANARY}"`]);
  });

  it('answers `already` to an append that is sent again, which is encrypted anew (EDGE-1)', async () => {
    const sealed = await open(key(1));
    await sealed.append(item('once'));

    expect(await sealed.append(item('once'))).toEqual({ type: 'already', version: 1 });
    expect([await texts(), await sealed.readItems(runId())]).toEqual([['"entry 0"'], ['once']]);
  });

  it('refuses items that come without the position they are encrypted for (EDGE-1)', async () => {
    const sealed = await open(key(1));

    expect(await refusal(sealed.append(append(0, { items: ['lost'] })))).toMatch(/without their position/);
    expect(await texts()).toEqual([]);
  });

  it('reads what was stored before there was a key, and writes all that is new encrypted (EDGE-1)', async () => {
    const before = await open();
    await before.append(item('from before'));
    await before.take({ key: 'k', thread: THREAD, item: '"waits"' });
    const sealed = await open(key(1));
    await sealed.append({ ...item(CANARY, 1), entries: [{ id: 'e1', text: JSON.stringify(CANARY) }] });

    expect(await sealed.readItems(runId())).toEqual(['from before', CANARY]);
    expect(await texts()).toEqual(['"entry 0"', JSON.stringify(CANARY)]);
    expect((await sealed.thread(THREAD)).inbox).toEqual([{ key: 'k', item: '"waits"' }]);
    expect(onDisk()).not.toContain(CANARY);
  });

  it('reads what it wrote under an older key that it still has, and says so when it no longer has it', async () => {
    await (await open(key(1))).append(item(CANARY));

    const lines: string[] = [];
    const log = createLog('warn', (line) => lines.push(line));
    const openAloud = async (keys: DataKeys) => {
      await store?.close();
      store = await openStore({ dataDir, clock: systemClock, log, box: createSecretBox(keys) });
      return store;
    };
    expect(await (await openAloud([...key(2), ...key(1)])).readItems(runId())).toEqual([CANARY]);
    expect(lines).toEqual([]);
    store = await openAloud(key(2));
    expect(lines.join()).toMatch(/DATA_KEY lacks a key that texts in this store may be under/);
    expect(await refusal(store.readItems(runId()))).toMatch(/DATA_KEY does not have any more/);
  });

  it('reads items and waiting messages that versions before 0.2 encrypted for their list (EDGE-1)', async () => {
    const box = createSecretBox(key(1));
    const former = createSqliteStore({ dataDir, clock: systemClock });
    await former.append(append(0, { items: [`sealed:${box.encrypt('former item', `items ${runId()}`)}`] }));
    await former.take({ key: 'k', thread: THREAD, item: `sealed:${box.encrypt('"former"', `inbox ${THREAD}`)}` });
    await former.close();

    const sealed = await open(key(1));
    await sealed.append(item('new', 1));
    expect(await sealed.readItems(runId())).toEqual(['former item', 'new']);
    expect((await sealed.thread(THREAD)).inbox).toEqual([{ key: 'k', item: '"former"' }]);
  });
});

describe('a text that is bound to its list as versions before 0.2 did it (T16)', () => {
  const former = (text: string, list: string) => `sealed:${createSecretBox(key(1)).encrypt(text, list)}`;

  it('is refused in a store that no such version has written to (EDGE-1)', async () => {
    await (await open(key(1))).append(item('new'));
    await past('UPDATE items SET text = ?', former('moved', `items ${runId()}`));

    expect(await refusal((await open(key(1))).readItems(runId()))).toMatch(/belongs elsewhere/);
  });

  it('is refused in another list (EDGE-1)', async () => {
    await (await open()).append(item('from before'));
    const sealed = await open(key(1));
    await sealed.append(item('new', 1));
    await past('UPDATE items SET text = ? WHERE position = 1', former('moved', `items ${runId(2)}`));

    expect(await refusal((await open(key(1))).readItems(runId()))).toMatch(/belongs elsewhere/);
  });
});

describe('a text that was moved past the bot (T16)', () => {
  beforeEach(async () => {
    const sealed = await open(key(1));
    await sealed.append(item('zero'));
    await sealed.append(item('one', 1));
    await sealed.append({ ...item('other'), journal: runId(2) });
    await sealed.take({ key: 'a', thread: THREAD, item: '"a"' });
    await sealed.take({ key: 'b', thread: THREAD, item: '"b"' });
  });
  const elsewhere = /was changed, or belongs elsewhere/;

  it('is refused as the entry of another position (EDGE-1)', async () => {
    await past(
      'UPDATE entries SET text = (SELECT text FROM entries WHERE journal = ?1 AND position = 0) WHERE journal = ?1 AND position = 1',
      runId(),
    );
    await open(key(1));

    expect(await refusal(texts())).toMatch(elsewhere);
    expect(await refusal(texts(1))).toMatch(`entry ${runId()} 1`);
  });

  it('is refused as the entry of another journal (EDGE-1)', async () => {
    await past(
      'UPDATE entries SET text = (SELECT text FROM entries WHERE journal = ? AND position = 0) WHERE journal = ?',
      runId(),
      runId(2),
    );
    await open(key(1));

    expect(await refusal(texts(0, runId(2)))).toMatch(elsewhere);
  });

  it('is refused as another item of the run, and as an item of another run (EDGE-1)', async () => {
    await past('UPDATE items SET text = (SELECT text FROM items WHERE run = ? AND position = 1)', runId());
    const sealed = await open(key(1));

    expect(await refusal(sealed.readItems(runId()))).toMatch(elsewhere);
    expect(await refusal(sealed.readItems(runId(2)))).toMatch(elsewhere);
    expect(await sealed.readItems(runId(), 1)).toEqual(['one']);
  });

  it('is refused as another message of the inbox (EDGE-1)', async () => {
    await past("UPDATE inbox SET item = (SELECT item FROM inbox WHERE key = 'a')");

    expect(await refusal((await open(key(1))).thread(THREAD))).toMatch(elsewhere);
  });
});

describe('a text in clear that no bot can have written (T16)', () => {
  const UPDATE = 'UPDATE entries SET text = ? WHERE journal = ? AND position = ?';

  it('is refused behind the first encrypted entry of its journal, wherever the reader begins (EDGE-1)', async () => {
    for (const version of [0, 1]) await (await open()).append(append(version));
    for (const version of [2, 3, 4]) await (await open(key(1))).append(append(version));
    await past(UPDATE, '"forged"', runId(), 3);
    await open(key(1));

    const says = new RegExp(`entry ${runId()} 3 is in clear, .* It is not used\\. Restore the store from a copy`);
    for (const from of [0, 1, 3]) expect(await refusal(texts(from))).toMatch(says);
    expect(await texts(4)).toEqual(['"entry 4"']);
  });

  it('is refused in a journal that is encrypted from its first entry on (EDGE-1)', async () => {
    await (await open()).append({ ...append(0), journal: runId(2) });
    for (const version of [0, 1]) await (await open(key(1))).append(append(version));
    await past(UPDATE, '"forged"', runId(), 1);
    await open(key(1));

    expect(await refusal(texts())).toMatch(`entry ${runId()} 1 is in clear`);
  });

  it('is refused behind the first encrypted item of its run (EDGE-1)', async () => {
    await (await open()).append(item('zero'));
    for (const version of [1, 2]) await (await open(key(1))).append(item(`${version}`, version));
    await past('UPDATE items SET text = ? WHERE position = 2', 'forged');
    const sealed = await open(key(1));

    for (const from of [0, 2]) {
      expect(await refusal(sealed.readItems(runId(), from))).toMatch(`item ${runId()} 2 is in clear`);
    }
  });

  it('is refused everywhere in a store that had a key from its beginning (EDGE-1)', async () => {
    const sealed = await open(key(1));
    await sealed.append(item('zero'));
    await sealed.take({ key: 'a', thread: THREAD, item: '"a"' });
    await past(UPDATE, '"forged"', runId(), 0);
    await past("UPDATE items SET text = 'forged'");
    await past(`UPDATE inbox SET item = '"forged"'`);

    const again = await open(key(1));
    expect(await refusal(texts())).toMatch(/entry .* is in clear, and everything in this store is encrypted/);
    expect(await refusal(again.readItems(runId()))).toMatch(/item .* is in clear/);
    expect(await refusal(again.thread(THREAD))).toMatch(/inbox .* is in clear/);
  });
});

describe('the start on an encrypted store (T16)', () => {
  it('is refused without the key, and says to set it (EDGE-1)', async () => {
    await open(key(1));

    expect(await refusal(open())).toMatch(/This store is encrypted, and DATA_KEY is not set\. Set it to the key/);
    // It holds no lock afterwards.
    expect(await texts()).toEqual([]);
    await open(key(1));
  });

  it('is refused with a wrong key before anything is read, and says what to set (EDGE-1)', async () => {
    await open(key(1));

    expect(await refusal(open(key(2)))).toMatch(/no key in DATA_KEY opens it\. Set DATA_KEY to the key/);
    expect(await refusal(open(key(2), { readOnly: true }))).toMatch(/no key in DATA_KEY opens it/);
  });

  it('gives a reader without the key the positions and ids, and texts that say that they are encrypted (EDGE-1)', async () => {
    await (await open(key(1))).append(item(CANARY));
    const reader = await open(undefined, { readOnly: true });

    const { entries, version } = await reader.read(runId());
    expect([version, entries.map(({ id }) => id)]).toEqual([1, ['e0']]);
    expect([...entries.map(({ text }) => text), ...(await reader.readItems(runId()))]).toEqual([
      expect.stringMatching(/^sealed:/),
      expect.stringMatching(/^sealed:/),
    ]);
  });

  it('says without a key in one line that words are stored in clear, and a command that only reads does not (EDGE-1)', async () => {
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    for (const readOnly of [false, true]) {
      store = await openStore({ dataDir, clock: systemClock, log, readOnly });
      await store.close();
    }

    expect(lines).toEqual([expect.stringContaining('is stored in clear. Set DATA_KEY to encrypt it.')]);
  });

  it('converts the file of a version that kept no record, and a reader reads that file as it is (EDGE-1)', async () => {
    await (await open()).append(item('from before'));
    await past('DROP TABLE sealing');
    await past('PRAGMA user_version = 1');

    expect(await (await open(key(1), { readOnly: true })).readItems(runId())).toEqual(['from before']);
    expect(await (await open(key(1))).readItems(runId())).toEqual(['from before']);
    expect(await refusal(open())).toMatch(/DATA_KEY is not set/);
  });
});

it('opens the entries that a hint brings, and drops those that are in clear or encrypted for another place', async () => {
  const box = createSecretBox(key(1));
  const model = createModelStore(systemClock);
  const sealed = sealStore(model, box, 'all');
  const heard: Hint[] = [];
  const raw: Hint[] = [];
  await sealed.watch({ onHint: (hint) => void heard.push(hint), onGap: () => {} });
  await model.watch({ onHint: (hint) => void raw.push(hint), onGap: () => {} });
  const hint = { thread: THREAD, run: runId(), version: 1 };

  await sealed.append(append(0, { effects: [{ type: 'hint', hint }] }));
  await model.append(append(1, { effects: [{ type: 'hint', hint: { ...hint, version: 2 } }] }));
  await new Promise((resolve) => setImmediate(resolve));
  const elsewhere = raw[0]?.entries?.map(({ text }) => ({ id: 'e2', text })) ?? [];
  await model.append(append(2, { entries: elsewhere, effects: [{ type: 'hint', hint: { ...hint, version: 3 } }] }));
  await new Promise((resolve) => setImmediate(resolve));

  expect(JSON.stringify(raw[0])).not.toContain('entry 0');
  expect(heard).toEqual([
    { ...hint, entries: [{ id: 'e0', text: '"entry 0"' }] },
    { ...hint, version: 2 },
    { ...hint, version: 3 },
  ]);
});

it('a process without a key begins nothing once another encrypts the whole store (EDGE-1)', async () => {
  const place = { redisUrl: await emptyRedis(), dataDir, clock: systemClock, log: silentLog };
  const without = await openStore(place);
  const encrypting = await openStore({ ...place, box: createSecretBox(key(1)) });
  const workspace = workspaceOf('T1', without.shards);
  const thread = ThreadKey.parse('T1:C1:1.1');
  const delivery = { thread, key: 'm/1', item: '{}' };

  const append = (one: OpenedStore) =>
    createWorkspaceJournal({ store: one, entryId: newEntryId }).append(workspace, {
      type: 'installed',
      team: 'T1',
      bot: UserId.parse('U1'),
    });
  expect(await refusal(append(without))).toMatch(/DATA_KEY is not set/);
  expect(await refusal(without.take(delivery))).toMatch(/DATA_KEY is not set/);
  expect(await encrypting.take(delivery)).toBe('taken');
  expect(await refusal(without.thread(thread))).toMatch(/DATA_KEY is not set/);
  expect(await append(encrypting)).toBe('written');
  expect((await encrypting.thread(thread)).inbox).toHaveLength(1);
  await Promise.all([without.close(), encrypting.close()]);
});

it('a process without a key writes nothing behind what another has encrypted since, and is not healthy (EDGE-1)', async () => {
  const place = { redisUrl: await emptyRedis(), dataDir, clock: systemClock, log: silentLog };
  const without = await openStore(place);
  const workspace = workspaceOf('T1', without.shards);
  const journalIn = (one: OpenedStore) => createWorkspaceJournal({ store: one, entryId: newEntryId });
  const append = (one: OpenedStore) =>
    journalIn(one).append(workspace, { type: 'installed', team: 'T1', bot: UserId.parse('U1') });
  expect(await append(without)).toBe('written');

  const encrypting = await openStore({ ...place, box: createSecretBox(key(1)) });
  expect(await append(encrypting)).toBe('written');

  expect(await refusal(append(without))).toMatch(/DATA_KEY is not set/);
  expect(await refusal(without.health())).toMatch(/DATA_KEY is not set/);
  expect(await journalIn(encrypting).latest(workspace)).toHaveLength(2);
  await Promise.all([without.close(), encrypting.close()]);
});
