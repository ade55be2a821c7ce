import { describe, expect, it } from 'vitest';
import { ThreadKey, UserId } from '../../../app/records/index.ts';
import { newId } from '../../../app/store/ids.ts';
import {
  approvalKey,
  dueKey,
  homeKey,
  inboxKey,
  indexKey,
  itemsKey,
  journalKey,
  paintingKey,
  seenKey,
  shardOfId,
  shardOfTeam,
  shardOfThread,
  syncKey,
  threadKey,
  todoKey,
  wakeChannel,
  workspaceOf,
} from '../../../app/store/keys.ts';

describe('the shard of a thread', () => {
  it('never changes, so that stored data is still found', () => {
    const threads = ['T1:C1:1.1', 'T1:C1:1700000000.000100', 'E9:D8:0.1'].map((key) => ThreadKey.parse(key));

    expect(threads.map((thread) => shardOfThread(thread, 64))).toMatchInlineSnapshot(`
      [
        20,
        19,
        45,
      ]
    `);
    expect(shardOfTeam('T1', 64)).toMatchInlineSnapshot(`61`);
  });

  it('is spread over all shards', () => {
    const threads = Array.from({ length: 6_400 }, (_, index) => ThreadKey.parse(`T1:C1:${index}`));
    const shards = threads.map((thread) => shardOfThread(thread, 64));

    expect(new Set(shards).size).toBe(64);
    expect(Math.max(...shards.map((shard) => shards.filter((other) => other === shard).length))).toBeLessThan(200);
  });
});

it('all keys of a thread and its runs carry the tag of one shard, and no two of them are the same', () => {
  const thread = ThreadKey.parse('T1:C1:1.1');
  const [run, approval] = [newId('r', 7), newId('a', 7)];
  const all = [
    ...[journalKey(run), itemsKey(run), approvalKey(approval), paintingKey({ of: approval, what: 'card' })],
    ...[threadKey('07', thread), inboxKey('07', thread), seenKey('07', 'm/T1/C1/1.1')],
    ...[syncKey('07'), todoKey('07'), dueKey('07'), indexKey('07', { what: 'waiting', of: 'T1:ANN' })],
    homeKey('07', { team: 'T1', user: UserId.parse('U1') }),
    ...[wakeChannel('07', 0), wakeChannel('07', 1)],
  ];

  expect(all.filter((key) => !key.startsWith('cs:{s07}:'))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
});

describe('an id', () => {
  it('names its shard, so that a button alone finds its run', () => {
    expect(shardOfId(newId('a', 7))).toBe('07');
    expect(approvalKey(newId('a', 63))).toMatch(/^cs:\{s63\}:ap:63a/);
    expect(journalKey(newId('g', 12))).toMatch(/^cs:\{s12\}:g:12g.{22}:j$/);
  });

  it('is never the same twice', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => newId('r', 0)));

    expect(ids.size).toBe(10_000);
  });

  it('has 128 bits that chance sets, so that no button can be guessed (P42)', () => {
    const drawn = Array.from({ length: 300 }, () => Buffer.from(newId('a', 0).slice(3), 'base64url'));
    const over = (join: (one: number, other: number) => number) =>
      drawn.reduce((all, bytes) => Buffer.from(all.map((byte, at) => join(byte, bytes[at] ?? 0))));

    expect(over((one, other) => one | other)).toEqual(Buffer.alloc(16, 0xff));
    expect(over((one, other) => one & other)).toEqual(Buffer.alloc(16, 0));
  });

  it('of a workspace is derived from the team alone, and is in the shard of its trusts', () => {
    expect(workspaceOf('T1', 64)).toBe(workspaceOf('T1', 64));
    expect(workspaceOf('T1', 64)).not.toBe(workspaceOf('T2', 64));
    expect(Number(shardOfId(workspaceOf('T1', 64)))).toBe(shardOfTeam('T1', 64));
  });
});
