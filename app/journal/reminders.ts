import { z } from 'zod';
import { ApprovalId, UserId } from '../records.ts';
import type { Effect } from '../store/store.ts';
import { type Decided, nothing } from './decide.ts';
import type { EntryBody } from './entries.ts';
import type { AskedApproval, RunState } from './state.ts';

/** What people are told while a question waits: those who can decide, and later those it is escalated to. Once each. */
export const Reminder = z.enum(['reminder', 'escalation']);
export type Reminder = z.infer<typeof Reminder>;

/** Part of `call-asked`; older entries have none of it, and nobody is reminded of them. */
export const REMINDER_TIMES = {
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

function timeOf({ remindAtMs, escalation }: AskedApproval, what: Reminder): number | undefined {
  switch (what) {
    case 'reminder':
      return remindAtMs;
    case 'escalation':
      return escalation?.atMs;
  }
}

/** Its times begin with the question and end with it, whichever way. */
export function reminderEffects({ approvals }: RunState, entry: EntryBody): readonly Effect[] {
  switch (entry.type) {
    case 'call-asked': {
      const { approval: subject, remindAtMs, escalation } = entry;
      return [
        ...(remindAtMs === undefined ? [] : [dueAt('reminder', subject, remindAtMs)]),
        ...(escalation === undefined ? [] : [dueAt('escalation', subject, escalation.atMs)]),
      ];
    }
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
