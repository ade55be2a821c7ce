import { describe, expect, it } from 'vitest';
import { impossibleDeadline, timetableOf } from '../../../app/tools/deadlines.ts';

const HOUR_MS = 3_600_000;
const to = ['S0ONCALL'];

describe('the timetable of a question', () => {
  it('reminds at half of the time, and escalates at four fifths to whoever is named (P61)', () => {
    expect(timetableOf({ escalateTo: to }, 10 * HOUR_MS)).toEqual({
      expireAfterMs: 10 * HOUR_MS,
      remindAfterMs: 5 * HOUR_MS,
      escalateAfterMs: 8 * HOUR_MS,
    });
  });

  it('escalates to nobody when nobody is named', () => {
    expect(timetableOf({}, 10 * HOUR_MS).escalateAfterMs).toBeUndefined();
  });

  it('reminds nobody of a question that is over in minutes, unless that is asked for', () => {
    expect(timetableOf({}, 60_000).remindAfterMs).toBeUndefined();
    expect(timetableOf({ remindAfterMs: 30_000 }, 60_000).remindAfterMs).toBe(30_000);
  });

  it('counts from the tool’s own lifetime where it has one', () => {
    expect(timetableOf({ expireAfterMs: 2 * HOUR_MS }, 10 * HOUR_MS)).toMatchObject({
      expireAfterMs: 2 * HOUR_MS,
      remindAfterMs: HOUR_MS,
    });
  });
});

describe('a deadline that could never come true', () => {
  it.each([
    ['a reminder after the end', { remindAfterMs: HOUR_MS }, 'remindAfterMs'],
    [
      'an escalation after the tool’s own end',
      { expireAfterMs: 5, escalateAfterMs: 5, escalateTo: to },
      'escalateAfterMs',
    ],
    ['an escalation to nobody', { escalateAfterMs: 5 }, 'escalateAfterMs'],
  ])('is named: %s', (_what, deadlines, key) => {
    expect(impossibleDeadline(deadlines, HOUR_MS)?.key).toBe(key);
  });

  it('is not seen where all is well', () => {
    expect(impossibleDeadline({ remindAfterMs: 1, escalateAfterMs: 2, escalateTo: to }, HOUR_MS)).toBeUndefined();
  });
});
