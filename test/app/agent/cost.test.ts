import { expect, it } from 'vitest';
import { addUsage, NO_USAGE } from '../../../app/agent/cost.ts';

const turn = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 1_000, cacheWriteTokens: 50 };

it('adds up the turns of a run', () => {
  expect([turn, turn, turn].reduce(addUsage, NO_USAGE)).toEqual({
    inputTokens: 300,
    outputTokens: 30,
    cacheReadTokens: 3_000,
    cacheWriteTokens: 150,
  });
});
