import { z } from 'zod';
import { ApprovalId, Copy, Reminder } from '../../records/index.ts';

/**
 * What people were told directly of a question follows its record like its card: it is not left saying that it waits when
 * it does not. How the call came out is on the card alone, so a copy is painted once for each thing that people decide.
 */
export const COPY_ENTRIES = [
  /** Told by somebody who died before it was written, and found when it was too late to tell. */
  z.object({
    type: z.literal('copies-found'),
    approval: ApprovalId,
    what: Reminder,
    stage: z.number().int().nonnegative(),
    copies: z.array(Copy).readonly(),
  }),
  /** All copies there are show this revision, or a newer one that came before it. */
  z.object({ type: z.literal('copies-painted'), approval: ApprovalId, revision: z.number().int() }),
] as const;
