import { z } from 'zod';
import { ApprovalId, CardReceipt } from '../../records/index.ts';

/** Somebody deleted the card of a question that still waits: nobody can see it any more, so it is to be shown again. */
export const LOST_CARD_ENTRIES = [
  /** Whatever was asked there: an approval, what became of a call, or what a tool server wants to know. */
  z.object({ type: z.literal('card-lost'), approval: ApprovalId, card: CardReceipt }),
] as const;
export type CardLost = z.infer<(typeof LOST_CARD_ENTRIES)[number]>;
