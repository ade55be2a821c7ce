import { expect, it } from 'vitest';
import { NOTHING_USED, readTurn } from '../../../../app/journal/owed/tally.ts';

it('a turn of which a list keeps nothing that can be read adds nothing to what was used, so that the sum stays a number (P63)', () => {
  const { tokens, workedMs } = NOTHING_USED;

  expect(readTurn('run')).toEqual({ tokens, workedMs });
});
