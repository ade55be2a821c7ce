import { describe, expect, it } from 'vitest';
import { createNewest } from '../../interventions/newest.ts';

describe('the memory of answers', () => {
  it('keeps the newest ones, up to its limit (BEY-30)', () => {
    const newest = createNewest<number>(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['b', 3],
      ['c', 4],
    ] as const)
      newest.set(key, value);

    expect(['a', 'b', 'c'].map(newest.get)).toEqual([undefined, 3, 4]);
  });
});
