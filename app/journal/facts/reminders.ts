import { z } from 'zod';
import { ApprovalId, Copy, Reminder, UserId } from '../../records/index.ts';

/** Part of `call-asked`. Older entries have none of these times, and cause no reminders. */
export const REMINDER_TIMES = {
  noticeAtMs: z.number().int().optional(),
  remindAtMs: z.number().int().optional(),
  escalation: z
    .object({ atMs: z.number().int(), to: z.array(UserId).readonly() })
    .readonly()
    .optional(),
};

export const REMINDER_ENTRIES = [
  /** People were told by this reminder. */
  z.object({
    type: z.literal('call-reminded'),
    approval: ApprovalId,
    what: Reminder,
    /** The stage whose approvers were told, counted from 0. Absent: the first, or no stage in particular. */
    stage: z.number().int().positive().optional(),
    /** The direct messages by which people were told. */
    copies: z.array(Copy).readonly().optional(),
    /** The revision that these messages show. Absent where an earlier try may have sent some of them. */
    revision: z.number().int().optional(),
  }),
] as const;
export type CallReminded = z.infer<(typeof REMINDER_ENTRIES)[number]>;
