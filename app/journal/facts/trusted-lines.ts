import { z } from 'zod';
import { GrantId, UserId } from '../../records/index.ts';

/**
 * A call that ran on a standing yes has no card. The thread is owed a line instead: one for each trust, which shows the
 * latest call and counts them all. The start of a call owes it; what it shows is known from what was written since.
 */

/** What the line says of a call, as people may see it. Written with its start, so whoever pays needs nothing else. */
export const TrustedCall = z.object({ by: UserId, summary: z.string() }).readonly();
export type TrustedCall = z.infer<typeof TrustedCall>;

export const TRUSTED_LINE_ENTRIES = [
  /** The line of this trust shows so many calls. */
  z.object({ type: z.literal('line-shown'), grant: GrantId, calls: z.number().int().positive() }),
] as const;
