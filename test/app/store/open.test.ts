import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { createLog, silentLog } from '../../../app/log.ts';
import { openStore } from '../../../app/store/open.ts';
import { emptyRedis } from '../../support/redis.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const given = { clock: systemClock, log: silentLog };

describe('the embedded store', () => {
  it('is refused when a replica is required, because it has none', async () => {
    await expect(openStore({ ...given, dataDir, durability: 'replica' })).rejects.toThrow(
      'the embedded store is one file on one machine',
    );
  });

  it('is the store when no Redis is named', async () => {
    const store = await openStore({ ...given, dataDir });

    expect(store.isExclusive).toBe(true);
    expect(existsSync(join(dataDir, 'countersign.sqlite'))).toBe(true);
    await store.close();
  });

  it('is not created by looking at it, and says that nothing is stored', async () => {
    await expect(openStore({ ...given, dataDir, readOnly: true })).rejects.toThrow('Nothing is stored in');

    expect(existsSync(join(dataDir, 'countersign.sqlite'))).toBe(false);
  });
});

it('a Redis that is named is the store, and its warnings are in the log', async () => {
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const store = await openStore({ ...given, log, dataDir, redisUrl: await emptyRedis() });

  const { warnings } = await store.health();
  expect(lines).toHaveLength(warnings.length);
  expect(store.isExclusive).toBe(false);
  expect(existsSync(join(dataDir, 'countersign.sqlite'))).toBe(false);
  await store.close();
});
