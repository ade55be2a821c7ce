import { z } from 'zod';
import { ApprovalId, CardReceipt, DecisionRule, UserId } from '../../records/index.ts';
import { TextRef } from './text-ref.ts';

/**
 * A call that was started, and nobody knows whether it finished. It may have had its effect, so a person says what is to
 * become of it: it happened, it is left alone, or it is asked for once more, as a call of its own.
 */

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const Choice = z.enum(['happened', 'skip', 'retry']);

export const DOUBT_ENTRIES = [
  entry('doubt-asked', {
    doubt: ApprovalId,
    call: z.string(),
    tool: z.string(),
    summary: z.string(),
    /** What may have run, as people see it; absent where an approval of the call says it. */
    input: TextRef.optional(),
    digest: z.string(),
    effect: z.enum(['asked', 'guarded']),
    /** Who could decide about the call decides about this. */
    rule: DecisionRule,
    expiresAtMs: z.number().int(),
  }),
  entry('doubt-posted', { doubt: ApprovalId, card: CardReceipt }),
  /** The card shows how it ended; that is the only debt it has. */
  entry('doubt-painted', { doubt: ApprovalId }),
  entry('doubt-refused', { doubt: ApprovalId, by: UserId, choice: Choice, why: z.string() }),
  entry('doubt-settled', {
    doubt: ApprovalId,
    /** `finished`: its process was only slow, and has said so itself. */
    how: z.enum([...Choice.options, 'finished', 'expired', 'withdrawn']),
    by: UserId.optional(),
    /** What came of it, in the person's words. */
    said: z.string().optional(),
    /** The call that stands in its place from here on. */
    retry: z.string().optional(),
  }),
] as const;
export type DoubtEntry = z.infer<(typeof DOUBT_ENTRIES)[number]>;
export type DoubtAsked = Extract<DoubtEntry, { readonly type: 'doubt-asked' }>;
export type DoubtSettled = Extract<DoubtEntry, { readonly type: 'doubt-settled' }>;
