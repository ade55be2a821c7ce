import { z } from 'zod';
import { ApproverId } from './deciders.ts';

/** Nothing waits for ever. */
export const LONGEST_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** How long one tool's questions wait, and who hears of it meanwhile. What is left out follows from the lifetime. */
export interface Deadlines {
  readonly expireAfterMs?: number | undefined;
  readonly remindAfterMs?: number | undefined;
  readonly escalateAfterMs?: number | undefined;
  /** Slack ids of people (U…) and user groups (S…). With nobody named, nothing is escalated. */
  readonly escalateTo?: readonly string[] | undefined;
}

const after = z.number('must be a number').int('must be whole milliseconds').positive('must be above 0');

export const DEADLINES = {
  expireAfterMs: after.max(LONGEST_LIFETIME_MS, 'must be at most 30 days').optional(),
  remindAfterMs: after.optional(),
  escalateAfterMs: after.optional(),
  escalateTo: z.array(ApproverId).optional(),
};

/** The times of one question, counted from its asking. `undefined`: it does not happen. */
export interface Timetable {
  readonly expireAfterMs: number;
  readonly remindAfterMs: number | undefined;
  readonly escalateAfterMs: number | undefined;
}

/** Half of the time for a reminder, and a fifth left for those it is escalated to. */
const REMIND_AT = 0.5;
const ESCALATE_AT = 0.8;
/** Whoever gives a question less time than this looks at the thread anyway. */
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

/** What could never come true, as the key that says it and why. */
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
    return { key: 'escalateAfterMs', problem: 'is set and nobody is named. Add escalateTo, or remove it' };
  return undefined;
}
