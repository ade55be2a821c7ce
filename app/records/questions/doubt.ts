import { z } from 'zod';
import { given } from '../../given.ts';
import { CardReceipt } from '../cards.ts';
import { ApprovalId, UserId } from '../ids.ts';
import { StoredDecisionRule } from '../rules.ts';
import { TextRef } from '../text-ref.ts';
import { type EntryOfKind, entry, type RecordOf } from './kind.ts';

/**
 * A call that was started, and nobody knows whether it finished. It may have had its effect, so a person says what is to
 * become of it: it happened, it is left alone, or it is asked for once more, as a call of its own.
 */

const DoubtChoice = z.enum(['happened', 'skip', 'retry']);
export type DoubtChoice = z.infer<typeof DoubtChoice>;

const ENTRIES = [
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
    rule: StoredDecisionRule,
    expiresAtMs: z.number().int(),
  }),
  entry('doubt-posted', { doubt: ApprovalId, card: CardReceipt }),
  /** The card shows how it ended; that is the only debt it has. */
  entry('doubt-painted', { doubt: ApprovalId }),
  entry('doubt-refused', { doubt: ApprovalId, by: UserId, choice: DoubtChoice, why: z.string() }),
  entry('doubt-settled', {
    doubt: ApprovalId,
    /** `finished`: its process was only slow, and has said so itself. */
    how: z.enum([...DoubtChoice.options, 'finished', 'expired', 'withdrawn']),
    by: UserId.optional(),
    /** What came of it, in the person's words. */
    said: z.string().optional(),
    /** The call that stands in its place from here on. */
    retry: z.string().optional(),
  }),
] as const;

export const DOUBT = {
  kind: 'doubt',
  entries: ENTRIES,
  standing({ how, by, said }: Settled, atMs: number): DoubtStanding {
    switch (how) {
      case 'finished':
      case 'expired':
      case 'withdrawn':
        return { status: how };
      default:
        return by === undefined ? { status: 'withdrawn' } : { status: how, by, atMs, ...given({ said }) };
    }
  },
} as const;

type Settled = Extract<z.infer<(typeof ENTRIES)[number]>, { readonly type: 'doubt-settled' }>;
export type DoubtAsked = EntryOfKind<typeof DOUBT, 'asked'>;

export type DoubtStanding =
  | { readonly status: 'pending' }
  | { readonly status: DoubtChoice; readonly by: UserId; readonly atMs: number; readonly said?: string }
  /** `finished`: as of its entry. `withdrawn`: the run was stopped. */
  | { readonly status: 'finished' | 'expired' | 'withdrawn' };

/** What may have run is looked up for its record, from whatever says it. */
export type Doubt = Omit<RecordOf<typeof DOUBT>, 'input'> & DoubtLookedUp;

export interface DoubtLookedUp {
  /** As of an approval. */
  readonly alsoSteeredBy: readonly UserId[];
  /** As JSON text, with its secrets hidden. */
  readonly input: string;
  /** The approval that the call was started on. */
  readonly approval?: ApprovalId;
}
