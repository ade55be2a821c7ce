import { expect, it } from 'vitest';
import { keepNewest } from '../../../app/time/index.ts';

it('a map of the newest forgets what was set the longest ago, and nothing before it is full', () => {
  const kept = new Map<string, number>();
  for (const [at, key] of ['a', 'b', 'c', 'a'].entries()) keepNewest(kept, key, at, 3);
  expect([...kept]).toEqual([
    ['b', 1],
    ['c', 2],
    ['a', 3],
  ]);

  keepNewest(kept, 'd', 4, 3);

  expect([...kept.keys()]).toEqual(['c', 'a', 'd']);
});
