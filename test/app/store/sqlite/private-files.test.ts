import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../../app/clock.ts';
import { createSqliteStore } from '../../../../app/store/sqlite/store.ts';
import { openStage } from '../../../support/bot.ts';
import { newThread } from '../../../support/store.ts';

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  dataDir = join(parent, 'new', 'data');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modes = () => Object.fromEntries(readdirSync(dataDir).map((name) => [name, mode(join(dataDir, name))]));
const openAndWrite = async () => {
  const store = createSqliteStore({ dataDir, clock: systemClock });
  await store.take({ key: 'm/C1/1', thread: newThread(), item: '{}' });
  return store;
};

const PRIVATE = {
  'countersign.lock': '600',
  'countersign.lock-journal': '600',
  'countersign.sqlite': '600',
  'countersign.sqlite-shm': '600',
  'countersign.sqlite-wal': '600',
};

it('the folder of the embedded store and each file in it are made for its owner alone (MF-15)', async () => {
  const store = await openAndWrite();

  expect([mode(dataDir), modes()]).toEqual(['700', PRIVATE]);
  await store.close();
});

it('the embedded store closes a folder and files that an older version left open to others (MF-15)', async () => {
  const before = await openAndWrite();
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
  chmodSync(dataDir, 0o755);
  await before.close();

  const store = await openAndWrite();

  expect([mode(dataDir), modes()]).toEqual(['700', PRIVATE]);
  await store.close();
});

it('the embedded store does not close a folder that is shared on purpose (MF-15)', async () => {
  dataDir = join(parent, 'shared');
  await (await openAndWrite()).close();
  chmodSync(dataDir, 0o1777);

  const store = await openAndWrite();

  expect([mode(dataDir), modes()]).toEqual(['777', PRIVATE]);
  await store.close();
});

it('the embedded store does not touch the mode of a file that is private already (MF-15)', async () => {
  mkdirSync(dataDir, { recursive: true });
  const kept = join(dataDir, 'countersign.kept');
  writeFileSync(kept, '', { mode: 0o600 });
  const changed = statSync(kept, { bigint: true }).ctimeNs;

  await (await openAndWrite()).close();

  expect(statSync(kept, { bigint: true }).ctimeNs).toBe(changed);
});

it('the embedded store opens, and warns of a file in its folder that it could not close to others (MF-15)', async () => {
  mkdirSync(dataDir, { recursive: true });
  const loop = join(dataDir, 'countersign.loop');
  symlinkSync(loop, loop);

  const store = createSqliteStore({ dataDir, clock: systemClock });

  const { warnings } = await store.health();
  expect(warnings).toEqual([
    expect.stringMatching(/may read .*countersign\.loop.* failed \(ELOOP: .*chmod 600 '.*countersign\.loop'$/),
  ]);
  await store.close();
});

it('a started bot makes its folder for its owner alone (MF-15)', async () => {
  const stage = await openStage();
  await stage.startBot({ env: { DATA_DIR: dataDir, NODE_COMPILE_CACHE: '' } });

  expect([mode(dataDir), modes()]).toMatchObject(['700', { ...PRIVATE, 'compile-cache': '700' }]);
  await stage.close();
});
