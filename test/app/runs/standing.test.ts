import { expect, it } from 'vitest';
import { beganAfter } from '../../../app/runs/standing.ts';
import { fold, started, user } from '../../support/journal.ts';

it('a stop that is delivered late is not about a run that began behind it', () => {
  const state = fold(started, { type: 'person-said', key: 'm/C1/1795251650.000300', user: user('ANN'), item: 0 });

  expect(beganAfter(state, '1795251649.000100')).toBe(true);
  expect(beganAfter(state, '1795251650.000300')).toBe(false);
  expect(beganAfter(state, '1795251651.000100')).toBe(false);
  // Slack’s own Stop, which says no time, and a run that was asked for again with a button.
  expect(beganAfter(state, undefined)).toBe(false);
  expect(
    beganAfter(
      fold(started, { type: 'person-said', key: 'm/C1/again:x', user: user('ANN'), item: 0 }),
      '1795251649.000100',
    ),
  ).toBe(false);
});
