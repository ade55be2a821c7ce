import { describe, expect, it } from 'vitest';
import {
  checkDurability,
  checkHealth,
  readShards,
  settleShards,
} from '../../../../../app/store/redis/connection/health.ts';
import type { Link } from '../../../../../app/store/redis/connection/link.ts';
import type { NodeAnswer } from '../../../../../app/store/redis/connection/nodes.ts';
import type { Durability } from '../../../../../app/store/store.ts';

/** A Redis that answers INFO with this, one text for each primary, and has this number of shards. */
function redis(infos: readonly (string | NodeAnswer)[], stored?: string): Link {
  let shards: unknown = stored ?? null;
  return {
    askEach: async () => infos.map((info) => (typeof info === 'string' ? { reply: info } : info)),
    command: async (name, _key, value) => {
      if (name === 'set') shards ??= `${value}`;
      return name === 'get' ? shards : 'OK';
    },
    close: async () => {},
  };
}

const info = (facts: Readonly<Record<string, string | number>>): string =>
  ['# Server', ...Object.entries(facts).map(([name, value]) => `${name}:${value}`)].join('\r\n');
const SOUND = { maxmemory_policy: 'noeviction', aof_enabled: 1 };

describe('the health of a Redis', () => {
  it('causes no warning when it keeps all facts and an append-only file', async () => {
    expect(await checkHealth(redis([info(SOUND)]))).toEqual({ warnings: [] });
  });

  it('is refused when one of several primaries may throw facts away, and the error names it (FR14)', async () => {
    const odd = { node: 'b:2', reply: info({ ...SOUND, maxmemory_policy: 'allkeys-lru' }) };

    await expect(checkHealth(redis([{ node: 'a:1', reply: info(SOUND) }, odd]))).rejects.toThrow(
      'its maxmemory-policy on b:2 is allkeys-lru.',
    );
  });

  it('causes a warning when it keeps no append-only file, or does not say whether it throws facts away (FR14)', async () => {
    expect(await checkHealth(redis([info({ aof_enabled: 0 })]))).toEqual({
      warnings: [
        'Redis does not say its maxmemory-policy. See that it is noeviction.',
        expect.stringMatching(/^Redis keeps no append-only file: when it dies/),
      ],
    });
  });
});

describe('the durability setting', () => {
  it.each<[Durability, Readonly<Record<string, string | number>>]>([
    ['process', { redis_version: '6.0.0', connected_slaves: 0, aof_enabled: 0 }],
    ['replica', { redis_version: '6.0.0', connected_slaves: 1, aof_enabled: 0 }],
    ['disk', { redis_version: '7.2.0', connected_slaves: 0, aof_enabled: 1 }],
    ['disk', { redis_version: '7.2', connected_slaves: 0, aof_enabled: 1 }],
    ['disk', { redis_version: '8.0.1', connected_slaves: 0, aof_enabled: 1 }],
    ['disk', { redis_version: '10.0.0', connected_slaves: 0, aof_enabled: 1 }],
  ])('accepts that entries survive the loss of the %s with a Redis of %j', async (level, facts) => {
    await expect(checkDurability(redis([info(facts)]), level)).resolves.toBeUndefined();
  });

  it.each<[Durability, Readonly<Record<string, string | number>>, string]>([
    ['replica', { connected_slaves: 0 }, "durability is 'replica', and no replica of this Redis is connected."],
    ['replica', {}, 'no replica of this Redis is connected.'],
    ['disk', { redis_version: '7.1.9', aof_enabled: 1 }, 'needs Redis 7.2, and this one is 7.1.9.'],
    ['disk', { redis_version: '6.2.0', aof_enabled: 1 }, 'needs Redis 7.2, and this one is 6.2.0.'],
    ['disk', { aof_enabled: 1 }, 'needs Redis 7.2, and this one is 0.'],
    ['disk', { redis_version: '7.2.4', aof_enabled: 0 }, 'this Redis keeps no append-only file.'],
  ])('refuses the loss of the %s with a Redis of %j', async (level, facts, words) => {
    await expect(checkDurability(redis([info(facts)]), level)).rejects.toThrow(words);
  });

  it('is checked on every primary, and the error names the one that falls short', async () => {
    const able = { node: 'a:1', reply: info({ connected_slaves: 2 }) };
    const odd = { node: 'b:2', reply: info({ connected_slaves: 0 }) };

    await expect(checkDurability(redis([able, odd]), 'replica')).rejects.toThrow('is connected on b:2.');
  });
});

describe('the number of shards', () => {
  const usual = 64;

  it('is the usual one in a new Redis, or the requested one, and stays', async () => {
    const fresh = redis([]);

    expect(await settleShards(fresh, { wanted: undefined, usual })).toBe(64);
    expect(await settleShards(fresh, { wanted: undefined, usual: 1 })).toBe(64);
    expect(await readShards(fresh)).toBe(64);
    expect(await settleShards(redis([]), { wanted: 8, usual })).toBe(8);
  });

  it('is refused when another number is stored', async () => {
    await expect(settleShards(redis([], '64'), { wanted: 8, usual })).rejects.toThrow(
      'This Redis was set up with 64 shards and cannot be used with 8',
    );
  });

  it.each(['0', '101', '1.5', 'many'])('is refused when %s is stored', async (stored) => {
    await expect(readShards(redis([], stored))).rejects.toThrow('is not a number from 1 to 100. Put back what it was.');
  });

  it.each([1, 100])('may be %i', async (stored) => {
    expect(await readShards(redis([], `${stored}`))).toBe(stored);
  });

  it('is not invented by looking at a Redis without one', async () => {
    await expect(readShards(redis([]))).rejects.toThrow('Nothing of Countersign is stored in this Redis.');
  });
});
