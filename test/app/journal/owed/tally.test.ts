import { expect, it } from 'vitest';
import { NOTHING_USED, readTurn } from '../../../../app/journal/owed/tally.ts';

it('a turn with an unreadable list adds nothing to the usage, so that the sum stays a number', () => {
  const { tokens, workedMs } = NOTHING_USED;

  expect(readTurn('run')).toEqual({ tokens, workedMs });
});
