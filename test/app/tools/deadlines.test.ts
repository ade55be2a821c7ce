import { describe, expect, it } from 'vitest';
import { impossibleDeadline, timetableOf } from '../../../app/tools/deadlines.ts';

const HOUR_MS = 3_600_000;
const to = ['S0ONCALL'];

describe('the timetable of a question', () => {
  it('reminds at half of the time, and escalates at four fifths to the named people (P61)', () => {
    expect(timetableOf({ escalateTo: to }, 10 * HOUR_MS)).toEqual({
      expireAfterMs: 10 * HOUR_MS,
      remindAfterMs: 5 * HOUR_MS,
      escalateAfterMs: 8 * HOUR_MS,
    });
  });

  it('escalates to no person when none is named', () => {
    expect(timetableOf({}, 10 * HOUR_MS).escalateAfterMs).toBeUndefined();
  });

  it('reminds no person of a question that lasts only minutes, except when the deployment asks for it', () => {
    expect(timetableOf({}, 60_000).remindAfterMs).toBeUndefined();
    expect(timetableOf({ remindAfterMs: 30_000 }, 60_000).remindAfterMs).toBe(30_000);
  });

  it('counts from the tool’s own lifetime when it has one', () => {
    expect(timetableOf({ expireAfterMs: 2 * HOUR_MS }, 10 * HOUR_MS)).toMatchObject({
      expireAfterMs: 2 * HOUR_MS,
      remindAfterMs: HOUR_MS,
    });
  });
});

describe('a deadline that can never be reached', () => {
  it.each([
    ['a reminder after the end', { remindAfterMs: HOUR_MS }, 'remindAfterMs'],
    [
      'an escalation after the tool’s own end',
      { expireAfterMs: 5, escalateAfterMs: 5, escalateTo: to },
      'escalateAfterMs',
    ],
    ['an escalation without recipients', { escalateAfterMs: 5 }, 'escalateAfterMs'],
  ])('is reported: %s', (_what, deadlines, key) => {
    expect(impossibleDeadline(deadlines, HOUR_MS)?.key).toBe(key);
  });

  it('is not reported when all settings fit', () => {
    expect(impossibleDeadline({ remindAfterMs: 1, escalateAfterMs: 2, escalateTo: to }, HOUR_MS)).toBeUndefined();
  });
});
