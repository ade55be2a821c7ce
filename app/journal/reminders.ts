import { z } from 'zod';
import { ApprovalId, UserId } from '../records.ts';
import type { Effect } from '../store/store.ts';
import { type Decided, nothing } from './decide.ts';
import type { EntryBody } from './entries.ts';
import type { AskedApproval, RunState } from './state.ts';

/**
 * What people are told while a question waits, once each: at first those who do not see its card, then all who can
 * decide, and later those it is escalated to.
 */
export const Reminder = z.enum(['notice', 'reminder', 'escalation']);
export type Reminder = z.infer<typeof Reminder>;

/** Part of `call-asked`; older entries have none of it, and nobody is reminded of them. */
export const REMINDER_TIMES = {
  noticeAtMs: z.number().int().optional(),
  remindAtMs: z.number().int().optional(),
  escalation: z
    .object({ atMs: z.number().int(), to: z.array(UserId).readonly() })
    .readonly()
    .optional(),
};

export const REMINDER_ENTRIES = [
  /** They have been told. */
  z.object({ type: z.literal('call-reminded'), approval: ApprovalId, what: Reminder }),
] as const;

/** What has to be told now, if anything has. A question that is settled needs no reminder. */
export function decideReminder(
  state: RunState,
  { approval: id, what }: { readonly approval: ApprovalId; readonly what: Reminder },
  nowMs: number,
): Decided<'remind' | 'not-yet' | 'over'> {
  const approval = state.approvals.get(id);
  const atMs = approval === undefined ? undefined : timeOf(approval, what);
  if (approval?.standing.status !== 'pending' || atMs === undefined || approval.reminded.includes(what)) {
    return nothing('over');
  }
  if (nowMs < atMs) return nothing('not-yet');
  return { entries: [{ type: 'call-reminded', approval: id, what }], result: 'remind' };
}

function timeOf({ noticeAtMs, remindAtMs, escalation }: Times, what: Reminder): number | undefined {
  switch (what) {
    case 'notice':
      return noticeAtMs;
    case 'reminder':
      return remindAtMs;
    case 'escalation':
      return escalation?.atMs;
  }
}

type Times = Partial<Pick<Extract<EntryBody, { type: 'call-asked' }>, keyof typeof REMINDER_TIMES>>;

/** Its times begin with the question and end with it, whichever way. */
export function reminderEffects({ approvals }: RunState, entry: EntryBody): readonly Effect[] {
  switch (entry.type) {
    case 'call-asked':
      return Reminder.options.flatMap((what) => {
        const atMs = timeOf(entry, what);
        return atMs === undefined ? [] : [dueAt(what, entry.approval, atMs)];
      });
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
      return Reminder.options.flatMap((what) => notDue(what, approvals.get(entry.approval)));
    case 'call-reminded':
      return notDue(entry.what, approvals.get(entry.approval));
    default:
      return [];
  }
}

function notDue(what: Reminder, approval: AskedApproval | undefined): readonly Effect[] {
  if (approval === undefined || timeOf(approval, what) === undefined) return [];
  return [{ type: 'not-due', item: { what, subject: approval.id } }];
}

const dueAt = (what: Reminder, subject: ApprovalId, atMs: number): Effect => ({
  type: 'due',
  item: { what, subject },
  atMs,
});
