import { z } from 'zod';
import { ApprovalId, Copy, Reminder, UserId } from '../../records/index.ts';

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
  z.object({
    type: z.literal('call-reminded'),
    approval: ApprovalId,
    what: Reminder,
    /** Those of this stage, counted from 0; absent, of the first, or of any. */
    stage: z.number().int().positive().optional(),
    /** Where they read it, those who were told by themselves. */
    copies: z.array(Copy).readonly().optional(),
    /** What they read there; absent where somebody may have told them before. */
    revision: z.number().int().optional(),
  }),
] as const;
export type CallReminded = z.infer<(typeof REMINDER_ENTRIES)[number]>;
