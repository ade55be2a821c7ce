import { z } from 'zod';
import { ApprovalId, CardReceipt, InquiryContent, UserId } from '../../records/index.ts';

/**
 * What a tool server wants to know in the middle of a call. It lives with its call: no restart brings it back, and
 * whoever ends the call takes it away.
 */

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

export const INQUIRY_ENTRIES = [
  entry('inquiry-asked', {
    inquiry: ApprovalId,
    call: z.string(),
    server: z.string(),
    tool: z.string(),
    /** The server's own words. */
    message: z.string(),
    /** The form, as JSON text. */
    schema: z.string(),
    expiresAtMs: z.number().int(),
  }),
  entry('inquiry-posted', { inquiry: ApprovalId, card: CardReceipt }),
  /** The card shows how it ended; that is the only debt it has. */
  entry('inquiry-painted', { inquiry: ApprovalId }),
  entry('inquiry-settled', {
    inquiry: ApprovalId,
    how: z.enum(['answered', 'declined', 'withdrawn', 'expired']),
    by: UserId.optional(),
    content: InquiryContent.optional(),
  }),
] as const;
export type InquiryEntry = z.infer<(typeof INQUIRY_ENTRIES)[number]>;
export type InquiryAsked = Extract<InquiryEntry, { readonly type: 'inquiry-asked' }>;
export type InquirySettled = Extract<InquiryEntry, { readonly type: 'inquiry-settled' }>;
