import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { ThreadKey } from '../../../app/records/index.ts';
import { createSecretBox, type DataKeys } from '../../../app/secrets/box.ts';
import { type OpenedStore, openStore } from '../../../app/store/open.ts';
import { runId } from '../../support/journal.ts';

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

async function open(keys?: DataKeys): Promise<OpenedStore> {
  await store?.close();
  const box = keys === undefined ? {} : { box: createSecretBox(keys) };
  store = await openStore({ dataDir, clock: systemClock, log: silentLog, ...box });
  return store;
}

const item = (text: string, version = 0) => ({
  journal: runId(),
  expectedVersion: version,
  entries: [{ id: `e${version}`, text: '{}' }],
  items: [text],
  effects: [],
});
const onDisk = (): string =>
  readdirSync(dataDir)
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('\n');

describe('a store with a key (T16)', () => {
  it('holds no readable word of what people and models wrote, and gives all of it back', async () => {
    const sealed = await open(key(1));
    await sealed.append(item(CANARY));
    await sealed.patient.take({ key: 'k', thread: THREAD, item: JSON.stringify(CANARY) });

    expect(await sealed.readItems(runId())).toEqual([CANARY]);
    expect((await sealed.patient.thread(THREAD)).inbox).toEqual([{ key: 'k', item: JSON.stringify(CANARY) }]);
    expect(onDisk()).not.toContain(CANARY);
    expect(onDisk()).toContain('sealed:');
  });

  it('reads entries from before there was a key, and writes all new ones encrypted', async () => {
    await (await open()).append(item('from before'));
    const sealed = await open(key(1));
    await sealed.append(item(CANARY, 1));

    expect(await sealed.readItems(runId())).toEqual(['from before', CANARY]);
    expect(onDisk()).not.toContain(CANARY);
  });

  it('reads entries under an older key that it still has, and says so when it no longer has it', async () => {
    await (await open(key(1))).append(item(CANARY));

    expect(await (await open([...key(2), ...key(1)])).readItems(runId())).toEqual([CANARY]);
    await expect((await open(key(2))).readItems(runId())).rejects.toThrow(/DATA_KEY does not have any more/);
  });

  it('does not take the item of one run for the item of another', async () => {
    const sealed = await open(key(1));
    await sealed.append(item(CANARY));
    const plain = await open();
    const [stolen = ''] = await plain.readItems(runId());
    await plain.append({ ...item(stolen), journal: runId(2) });

    await expect((await open(key(1))).readItems(runId(2))).rejects.toThrow(/belongs elsewhere/);
  });
});
