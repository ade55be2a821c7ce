import { expect, it } from 'vitest';
import { addUsage, costOf, NO_USAGE } from '../../../app/agent/cost.ts';

const turn = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 1_000, cacheWriteTokens: 50 };

it('adds up the turns of a run', () => {
  expect([turn, turn, turn].reduce(addUsage, NO_USAGE)).toEqual({
    inputTokens: 300,
    outputTokens: 30,
    cacheReadTokens: 3_000,
    cacheWriteTokens: 150,
  });
});

it('counts each kind of token at its own price', () => {
  expect(costOf(turn, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(0.0009375, 10);
});
