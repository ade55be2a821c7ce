import { expect, it } from 'vitest';
import { lineOf } from '../../bench/measure.ts';
import { figuresPage } from '../../bench/page.ts';
import { inRounds, QUICK, subject } from '../../bench/rounds.ts';

const MACHINE = {
  date: new Date('2026-11-23T12:00:00Z'),
  versions: ['Node 24.0.0'],
  processors: '2 × a processor',
  rounds: 3,
};
const KEPT = { what: 'a kept figure', value: 4, unit: 'µs', target: 5 } as const;
const MISSED = { what: 'a missed figure', value: 1_234.5, unit: 'µs', target: 5 } as const;
const BARE = { what: 'a figure to compare with', value: 0.123, unit: 'ms' } as const;

it('the bench prints what is asked for beside each figure, and says which figure misses it', () => {
  expect([KEPT, MISSED, BARE].map(lineOf)).toEqual([
    '        4 µs  a kept figure  (target: at most 5 µs)',
    '    1,235 µs  a missed figure  (target: at most 5 µs, missed)',
    '     0.12 ms  a figure to compare with',
  ]);
});

it('the page of figures has the rows that were printed, the date, the versions and every note', () => {
  const page = figuresPage(MACHINE, [{ title: 'A part', figures: [KEPT, MISSED, BARE], notes: ['Redis: none.'] }]);

  expect(page).toContain('Measured on 2026-11-23 in 3 rounds, with Node 24.0.0, on 2 × a processor.');
  expect(page).toContain('## A part');
  expect(page).toContain('| a kept figure | 4 µs | 5 µs |');
  expect(page).toContain('| a missed figure | 1,235 µs | 5 µs, **missed** |');
  expect(page).toContain('| a figure to compare with | 0.12 ms |  |');
  expect(page).toContain('- Redis: none.');
});

it('the bench measures in turn, round by round, and keeps the median of the rounds', async () => {
  const order: string[] = [];
  const values = [5, 1, 3];
  const one = async () => {
    order.push('one');
    return { one: values[(order.length - 1) / 2] ?? 0 };
  };
  const medians = await inRounds(
    [
      { measure: one, long: true },
      { ...subject('two', async () => order.push('two')), long: true },
    ],
    { ...QUICK, rounds: 3 },
    () => {},
  );

  expect(order).toEqual(['one', 'two', 'one', 'two', 'one', 'two']);
  expect(medians('one')).toBe(3);
  expect(medians('two')).toBe(4);
  expect(() => medians('three')).toThrow(/No subject measures “three”/);
});

it('the bench does everything quick some times before the rounds, which does not count', async () => {
  let calls = 0;
  const medians = await inRounds(
    [subject('calls', async () => (calls += 1))],
    { ...QUICK, warmUp: 100, rounds: 1, turns: 1 },
    () => {},
  );

  expect(medians('calls')).toBe(101);
});
