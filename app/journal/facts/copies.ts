import { z } from 'zod';
import { ApprovalId, Copy, Reminder } from '../../records/index.ts';

/**
 * The direct messages about a question are repainted like its card, so that none says "waiting" after the end. Only the card
 * shows the outcome of the call, so a copy is repainted only for what people decide.
 */
export const COPY_ENTRIES = [
  /** Copies sent by a process that may have died before it wrote them, found after the reminder was no longer due. */
  z.object({
    type: z.literal('copies-found'),
    approval: ApprovalId,
    what: Reminder,
    stage: z.number().int().nonnegative(),
    copies: z.array(Copy).readonly(),
  }),
  /** All copies show this revision, or a newer one painted before it. */
  z.object({ type: z.literal('copies-painted'), approval: ApprovalId, revision: z.number().int() }),
] as const;
