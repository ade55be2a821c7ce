import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { dueWord } from '../../../app/store/due.ts';
import { newId } from '../../../app/store/ids.ts';
import { dueKey } from '../../../app/store/keys.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import { keptLog } from '../../support/kept-log.ts';
import { emptyRedis } from '../../support/redis.ts';

const KNOWN = (['r', 'a', 'g'] as const).map((letter) => ({ what: 'expiry', subject: newId(letter, 0) }) as const);
/** What a later version, or a person, may have put into the list. */
const UNKNOWN = ['expiry:', 'expiry:odd', `unheard-of:${newId('a', 0)}`, 'odd'];
const ALL = { limit: 99, leaseMs: 3_600_000 };

it('the embedded store leaves a due item alone that it cannot read, and gives the others', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  await createSqliteStore({ dataDir, clock: systemClock }).close();
  const database = new DatabaseSync(join(dataDir, 'countersign.sqlite'));
  const put = database.prepare('INSERT INTO due (word, at_ms) VALUES (?, ?)');
  for (const [at, word] of [...UNKNOWN, ...KNOWN.map(dueWord)].entries()) put.run(word, at);
  database.close();

  const store = createSqliteStore({ dataDir, clock: systemClock });
  expect(await store.claimDue(ALL)).toEqual(KNOWN);
  await store.close();
  rmSync(dataDir, { recursive: true });
});

it('a store in Redis leaves a due item alone that it cannot read, says so in the log, and gives the others', async () => {
  const { log, lines } = keptLog();
  const url = await emptyRedis();
  const store = await createRedisStore({ place: readRedisUrl(url), log });
  const client = new Redis(url);
  for (const [at, word] of [...UNKNOWN, ...KNOWN.map(dueWord)].entries()) await client.zadd(dueKey('00'), at, word);

  expect(await store.claimDue(ALL)).toEqual(KNOWN);
  expect(lines).toEqual(UNKNOWN.map(() => 'warn: This version cannot read a due item; it is left alone.'));
  client.disconnect();
  await store.close();
});

it.each(['claimTodo', 'claimDue'] as const)('%s begins with every shard in turn, and misses none', async (claim) => {
  const place = readRedisUrl(await emptyRedis());
  const { log } = keptLog();
  const store = await createRedisStore({ place, shards: 2, log });
  const client = new Redis(place.type === 'single' ? place.url : '');
  const words = [newId('r', 0), newId('r', 1)].map((subject) => dueWord({ what: 'retention', subject }));
  const threads = ['T1:C1:1.1', 'T1:C1:2.2'];
  for (const [shard, word] of words.entries()) {
    await client.zadd(`cs:{s0${shard}}:due`, 1, word);
    await client.zadd(`cs:{s0${shard}}:todo`, 1, `${threads[shard]}`);
  }

  const firsts = new Set<string>();
  for (let tried = 0; tried < 60; tried += 1) {
    const [first, ...more] = await store[claim]({ limit: 1, leaseMs: 0 });
    expect(more).toEqual([]);
    firsts.add(JSON.stringify(first));
    expect(await store[claim]({ limit: 2, leaseMs: 0 })).toHaveLength(2);
  }
  expect(firsts.size).toBe(2);
  client.disconnect();
  await store.close();
});
