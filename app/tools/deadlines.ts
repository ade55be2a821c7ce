import { z } from 'zod';
import { ApproverId } from './deciders.ts';

/** The longest that a question may wait. */
export const LONGEST_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** How long the questions of one tool wait, and who is reminded meanwhile. Absent times follow from the lifetime. */
export interface Deadlines {
  readonly expireAfterMs?: number | undefined;
  readonly remindAfterMs?: number | undefined;
  readonly escalateAfterMs?: number | undefined;
  /** Slack ids of people (U…) and user groups (S…). Without any, no question is escalated. */
  readonly escalateTo?: readonly string[] | undefined;
}

const after = z.number('must be a number').int('must be whole milliseconds').positive('must be above 0');

export const DEADLINES = {
  expireAfterMs: after.max(LONGEST_LIFETIME_MS, 'must be at most 30 days').optional(),
  remindAfterMs: after.optional(),
  escalateAfterMs: after.optional(),
  escalateTo: z.array(ApproverId).optional(),
};

/** The times of one question, counted from when it was asked. `undefined`: it does not happen. */
export interface Timetable {
  readonly expireAfterMs: number;
  readonly remindAfterMs: number | undefined;
  readonly escalateAfterMs: number | undefined;
}

/** The reminder comes at half of the time. The escalation leaves its people a fifth. */
const REMIND_AT = 0.5;
const ESCALATE_AT = 0.8;
/** A question with less time than this needs no reminder: its people are looking at the thread. */
const WORTH_A_REMINDER_MS = 10 * 60 * 1000;

export function timetableOf(deadlines: Deadlines, lifetimeMs: number): Timetable {
  const expireAfterMs = deadlines.expireAfterMs ?? lifetimeMs;
  const long = expireAfterMs >= WORTH_A_REMINDER_MS;
  const remindAfterMs = deadlines.remindAfterMs ?? (long ? expireAfterMs * REMIND_AT : undefined);
  const named = (deadlines.escalateTo?.length ?? 0) > 0;
  const escalateAfterMs = named ? (deadlines.escalateAfterMs ?? expireAfterMs * ESCALATE_AT) : undefined;
  return { expireAfterMs, remindAfterMs: whole(remindAfterMs), escalateAfterMs: whole(escalateAfterMs) };
}

const whole = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms));

/** Finds a time that could never come: its key, and why. */
export function impossibleDeadline(
  deadlines: Deadlines,
  lifetimeMs: number,
): { readonly key: keyof Deadlines; readonly problem: string } | undefined {
  const { expireAfterMs } = timetableOf(deadlines, lifetimeMs);
  for (const key of ['remindAfterMs', 'escalateAfterMs'] as const) {
    const atMs = deadlines[key];
    if (atMs !== undefined && atMs >= expireAfterMs)
      return { key, problem: `is ${atMs}, and the question expires after ${expireAfterMs}. Make it less` };
  }
  if (deadlines.escalateAfterMs !== undefined && (deadlines.escalateTo?.length ?? 0) === 0)
    return { key: 'escalateAfterMs', problem: 'is set without escalateTo. Add escalateTo, or remove it' };
  return undefined;
}
