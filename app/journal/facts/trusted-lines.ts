import { z } from 'zod';
import { TrustId, UserId } from '../../records/index.ts';

/**
 * A call that runs on a trust has no card. The thread is owed a line instead: one per trust, which shows the latest call and
 * counts all of them. The start of a call makes the line owed; `line-shown` says how many calls the line shows.
 */

/** What the line says of a call, with secrets hidden. Written with the start, so that any process can post the line. */
export const TrustedCall = z.object({ by: UserId, summary: z.string() }).readonly();
export type TrustedCall = z.infer<typeof TrustedCall>;

export const TRUSTED_LINE_ENTRIES = [
  /** The line of this trust shows this many calls. */
  z.object({ type: z.literal('line-shown'), grant: TrustId, calls: z.number().int().positive() }),
] as const;
