import { expect, it } from 'vitest';
import { WORDS } from '../../../../app/runs/telling/words.ts';

it.each([
  ['repeats an input of up to a thousand characters', 1_000, true],
  ['leaves a longer input to the agent', 1_001, false],
])('a request that is asked again %s', (_what, length, repeats) => {
  const input = 'x'.repeat(length);

  expect(WORDS.askAgain({ tool: 'restart', summary: 'Restart.', input }).includes(input)).toBe(repeats);
});
