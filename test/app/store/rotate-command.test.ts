import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { journalKey } from '../../../app/store/keys.ts';
import { openStore } from '../../../app/store/open.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import { keys, tools } from '../../support/audit.ts';
import { runId } from '../../support/journal.ts';
import { all, boxOf, bytes, readAll, versionsTo, write } from '../../support/numbered-run.ts';
import { startRedisServer } from '../../support/redis.ts';

const DATA_KEY = [2, 1].map((byte) => bytes(byte).toString('base64')).join();

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-rotate-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const given = { clock: systemClock, log: silentLog };
const openAt = (...numbers: readonly number[]) => openStore({ ...given, dataDir, box: boxOf(...numbers) });

describe('a rotation (T16)', () => {
  it('goes on when it was killed and is run again, and a bot reads everything in between (EDGE-1)', async () => {
    const many = 1_500;
    const former = createSqliteStore({ ...given, dataDir });
    await write(former, versionsTo(many));
    await former.close();
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, DATA_KEY };
    const child = spawn(process.execPath, ['app/commands/keys-main.ts', 'rotate'], { env });
    const sealed = (): number => {
      const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'), { readOnly: true, timeout: 1_000 });
      const row = database.prepare("SELECT COUNT(*) AS count FROM entries WHERE text LIKE 'sealed:%'").get();
      database.close();
      return Number(row?.count);
    };
    await expect.poll(sealed, { interval: 5 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(sealed()).toBeLessThan(many);

    const between = await openAt(2, 1);
    expect(await readAll(between)).toEqual(all(many));
    await write(between, [many]);
    await between.close();
    expect(await keys(env, 'rotate')).toMatchObject({ code: 0, err: '' });

    const store = await openAt(2);
    expect(await readAll(store)).toEqual(all(many + 1));
    await store.close();
  });
});

describe('npm run keys', () => {
  it.each<[readonly string[], RegExp, Record<string, string>]>([
    [[], /^No command was given\.\n\nUsage: npm run keys -- rotate/, { DATA_KEY }],
    [['burn'], /^There is no command burn\.\n\nUsage: npm run keys -- rotate/, { DATA_KEY }],
    [['rotate', 'now'], /^rotate takes no arguments: now is too much\.\n$/, { DATA_KEY }],
    [
      ['rotate'],
      /^DATA_KEY is missing\. Write the new key, then the old ones\.\nFill in what is missing in \.env, or .*\.\n$/,
      {},
    ],
    [['rotate'], /^DATA_KEY is not a key of 32 bytes/, { DATA_KEY: 'short' }],
    [['rotate'], /^Nothing is stored in .*Set DATA_DIR or REDIS_URL to the store of the bot/, { DATA_KEY }],
  ])('refuses %j with words that fit %s, and creates nothing (EDGE-1)', async (args, says, env) => {
    const said = await keys({ DATA_DIR: dataDir, ...env }, ...args);

    expect(said).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
    expect(existsSync(join(dataDir, 'countersign.sqlite'))).toBe(false);
  });

  it.each([
    ['rotate', () => keys, ['rotate']],
    ['allow', () => tools, ['allow', 'notes__add']],
  ] as const)('ends and says why where Redis is a replica, which takes no write: %s (EDGE-3)', async (_, run, args) => {
    const primary = await startRedisServer();
    const replica = await startRedisServer('--replicaof', `127.0.0.1 ${primary.port}`);
    const store = await openStore({ ...given, dataDir, redisUrl: primary.url });
    await write(store, [0]);
    await store.close();
    await expect.poll(() => replica.client().llen(journalKey(runId()))).toBe(1);

    const said = await run()({ REDIS_URL: replica.url, DATA_KEY }, ...args);

    expect(said).toMatchObject({ out: '', err: expect.stringContaining('See that REDIS_URL names a primary.') });
    expect(said.code).toBeGreaterThan(0);
    await Promise.all([primary.remove(), replica.remove()]);
  });

  it('refuses a store that holds nothing, because its address may be wrong (EDGE-1)', async () => {
    await createSqliteStore({ ...given, dataDir }).close();

    expect(await keys({ DATA_DIR: dataDir, DATA_KEY }, 'rotate')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Nothing of Countersign is stored there\. Set DATA_DIR or REDIS_URL/),
    });
  });
});
