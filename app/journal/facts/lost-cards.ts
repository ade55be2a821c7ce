import { z } from 'zod';
import { ApprovalId, CardReceipt } from '../../records/index.ts';

/** A person deleted the card of a question that still waits, so the card is posted again. */
export const LOST_CARD_ENTRIES = [
  /** `approval` is the id of any kind of question: an approval, a doubt or an inquiry. */
  z.object({ type: z.literal('card-lost'), approval: ApprovalId, card: CardReceipt }),
] as const;
export type CardLost = z.infer<(typeof LOST_CARD_ENTRIES)[number]>;
