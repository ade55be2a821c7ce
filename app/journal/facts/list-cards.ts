import { z } from 'zod';
import { ApprovalId } from '../../records/index.ts';

/**
 * When one answer of the model asks about many calls, they share list cards. Each call keeps its own question and decision.
 * The rows of a card are written before it is posted, so that a press on all rows means the rows that were shown.
 */
export const LIST_CARD_ENTRIES = [
  z.object({
    type: z.literal('calls-listed'),
    list: ApprovalId,
    approvals: z.array(ApprovalId).readonly(),
  }),
] as const;
