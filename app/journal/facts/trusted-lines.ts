import { z } from 'zod';
import { TrustId, UserId } from '../../records/index.ts';

/**
 * A call that runs on a trust has no card. The thread is owed a line instead: one per trust, which shows each call and how it
 * came out. A start and an end of a call make the line owed, and so does the end of the trust; `line-shown` says what the line
 * shows.
 */

/** What the line says of a call, with secrets hidden. Written with the start, so that any process can post the line. */
export const TrustedCall = z.object({ by: UserId, summary: z.string(), line: z.string().optional() }).readonly();
export type TrustedCall = z.infer<typeof TrustedCall>;

export const TRUSTED_LINE_ENTRIES = [
  z.object({
    type: z.literal('line-shown'),
    grant: TrustId,
    calls: z.number().int().positive(),
    /** The version of the journal that the line shows. Older entries have none, and show no outcome. */
    shows: z.number().int().optional(),
  }),
  /** A trust that this run gave or used has ended: no card and no line offers to end it. Without `by`, it ran out. */
  z.object({ type: z.literal('trust-over'), grant: TrustId, by: UserId.optional() }),
] as const;
