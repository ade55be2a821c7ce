import { describe, expect, it } from 'vitest';
import { ThreadKey } from '../../../app/records/index.ts';
import { checkAppend } from '../../../app/store/check.ts';
import { newId } from '../../../app/store/ids.ts';
import { shardOfTeam, shardOfThread } from '../../../app/store/keys.ts';
import type { AppendRequest, Effect } from '../../../app/store/store.ts';
import { appendOf } from '../../support/store.ts';

const SHARDS = 64;
const HERE = ThreadKey.parse('T1:C1:1.1');
const ELSEWHERE = ThreadKey.parse('T1:C1:1700000000.000100');
const here = shardOfThread(HERE, SHARDS);
const elsewhere = shardOfThread(ELSEWHERE, SHARDS);
const run = newId('r', here);
const check = (more: Partial<AppendRequest>) => () => checkAppend({ ...appendOf(run, 0), ...more }, SHARDS);
const many = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

describe('an append', () => {
  it.each<[string, (count: number) => Partial<AppendRequest>, number]>([
    ['entries', (count) => ({ entries: many(count, { id: 'e', text: '{}' }) }), 500],
    ['items', (count) => ({ items: many(count, 'item') }), 500],
    ['effects', (count) => ({ effects: many(count, { type: 'todo', thread: HERE, inMs: 0 }) }), 4_000],
  ])('with the most %s is accepted, and with more of them refused', (what, given, most) => {
    expect(check(given(most))).not.toThrow();
    expect(check(given(most + 1))).toThrow(`it has ${most + 1} ${what}, and the most is ${most}`);
  });

  it.each([-1, 0.5, Number.NaN])('at the version %d is refused', (expectedVersion) => {
    expect(check({ expectedVersion })).toThrow(`${expectedVersion} is not a version`);
  });
});

describe('an effect', () => {
  const due = (shard: number) => ({ what: 'expiry', subject: newId('a', shard) }) as const;
  const ofTeam = { what: 'grants', of: 'T1:all' } as const;
  const cases: readonly [string, (thread: ThreadKey, shard: number) => Effect][] = [
    ['a due item', (_, shard) => ({ type: 'due', item: due(shard), atMs: 1 })],
    ['a due item to remove', (_, shard) => ({ type: 'not-due', item: due(shard) })],
    ['an approval', (_, shard) => ({ type: 'approval', approval: newId('a', shard), run })],
    [
      'the run of an approval',
      (_, shard) => ({ type: 'approval', approval: newId('a', here), run: newId('r', shard) }),
    ],
    ['a thread without a run', (thread) => ({ type: 'current-run', thread })],
    ['the current run of a thread', (_, shard) => ({ type: 'current-run', thread: HERE, run: newId('r', shard) })],
    [
      'the run that a thread must still have',
      (_, shard) => ({ type: 'still-current', thread: HERE, run: newId('r', shard) }),
    ],
    ['a thread to advance', (thread) => ({ type: 'todo', thread, inMs: 0 })],
    ['a thread that rests', (thread) => ({ type: 'not-todo', thread })],
    ['an inbox', (thread) => ({ type: 'drop-inbox', thread, keys: [] })],
    ['the thread of a hint', (thread) => ({ type: 'hint', hint: { thread, run, version: 1 } })],
    ['the run of a hint', (_, shard) => ({ type: 'hint', hint: { thread: HERE, run: newId('r', shard), version: 1 } })],
  ];
  it.each(cases)('on %s is accepted in the shard of the journal, and refused elsewhere', (_what, effect) => {
    expect(check({ effects: [effect(HERE, here)] })).not.toThrow();
    expect(check({ effects: [effect(ELSEWHERE, elsewhere)] })).toThrow(`belongs to shard ${elsewhere}`);
  });

  it.each(['member', 'not-member'] as const)(
    "of the type '%s' on a list of a team belongs to the shard of the team",
    (type) => {
      const effects: readonly Effect[] = [{ type, index: ofTeam, member: 'one' }];
      const grant = newId('g', shardOfTeam('T1', SHARDS));

      expect(() => checkAppend(appendOf(grant, 0, { effects }), SHARDS)).not.toThrow();
      expect(check({ effects })).toThrow(`belongs to shard ${shardOfTeam('T1', SHARDS)}`);
      expect(check({ effects: [{ type, index: { what: 'waiting', of: 'T1:ANN' }, member: 'one' }] })).not.toThrow();
    },
  );
});
