import { z } from 'zod';
import { CardReceipt } from '../cards.ts';
import { ApprovalId, UserId } from '../ids.ts';
import { entry, type RecordOf } from './kind.ts';

/**
 * What a tool server asks a person in the middle of a call. An inquiry lasts no longer than its call: it does not survive a
 * restart, and the end of the call withdraws it.
 */

/** What a person filled into the form of a tool server. */
export const InquiryContent = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]))
  .readonly();
export type InquiryContent = z.infer<typeof InquiryContent>;

const ENTRIES = [
  entry('inquiry-asked', {
    inquiry: ApprovalId,
    call: z.string(),
    server: z.string(),
    tool: z.string(),
    /** The server's own words. */
    message: z.string(),
    /** The form, as JSON text. When it cannot be drawn, the person can only decline. */
    schema: z.string(),
    expiresAtMs: z.number().int(),
  }),
  entry('inquiry-posted', { inquiry: ApprovalId, card: CardReceipt }),
  /** The card shows how the inquiry ended. An inquiry owes no other painting. */
  entry('inquiry-painted', { inquiry: ApprovalId }),
  entry('inquiry-settled', {
    inquiry: ApprovalId,
    how: z.enum(['answered', 'declined', 'withdrawn', 'expired']),
    by: UserId.optional(),
    content: InquiryContent.optional(),
  }),
] as const;

export const INQUIRY = {
  kind: 'inquiry',
  entries: ENTRIES,
  standing({ how, by, content }: Settled, atMs: number): InquiryStanding {
    if (by === undefined) return { status: how === 'expired' ? 'expired' : 'withdrawn' };
    return how === 'answered' && content !== undefined
      ? { status: 'answered', by, atMs, content }
      : { status: 'declined', by, atMs };
  },
} as const;

type Settled = Extract<z.infer<(typeof ENTRIES)[number]>, { readonly type: 'inquiry-settled' }>;
export type Inquiry = RecordOf<typeof INQUIRY>;

export type InquiryStanding =
  | { readonly status: 'pending' }
  | { readonly status: 'answered'; readonly by: UserId; readonly atMs: number; readonly content: InquiryContent }
  | { readonly status: 'declined'; readonly by: UserId; readonly atMs: number }
  /** `withdrawn`: the call ended or was stopped, or the server no longer wants the answer. */
  | { readonly status: 'withdrawn' | 'expired' };
