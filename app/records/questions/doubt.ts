import { z } from 'zod';
import { given } from '../../given.ts';
import { CardReceipt } from '../cards.ts';
import { ApprovalId, UserId } from '../ids.ts';
import { StoredDecisionRule } from '../rules.ts';
import { TextRef } from '../text-ref.ts';
import type { Undeclared } from '../undeclared.ts';
import { type EntryOfKind, entry, type RecordOf } from './kind.ts';

/**
 * A call that was started and whose outcome is unknown. It may have had its effect, so a person chooses: it happened, it is
 * skipped, or it is asked for again as a new call.
 */

const DoubtChoice = z.enum(['happened', 'skip', 'retry']);
export type DoubtChoice = z.infer<typeof DoubtChoice>;

const ENTRIES = [
  entry('doubt-asked', {
    doubt: ApprovalId,
    call: z.string(),
    tool: z.string(),
    summary: z.string(),
    /** What may have run, with its secrets hidden. Absent where the call's approval has it. */
    input: TextRef.optional(),
    /** The names of what `input` hides. Written with it. */
    hides: z.array(z.string()).readonly().optional(),
    digest: z.string(),
    effect: z.enum(['asked', 'guarded']),
    /** The rule of the call: its approvers also decide about the doubt. */
    rule: StoredDecisionRule,
    expiresAtMs: z.number().int(),
  }),
  entry('doubt-posted', { doubt: ApprovalId, card: CardReceipt }),
  /** The card shows how the doubt ended. A doubt owes no other painting. */
  entry('doubt-painted', { doubt: ApprovalId }),
  entry('doubt-refused', { doubt: ApprovalId, by: UserId, choice: DoubtChoice, why: z.string() }),
  entry('doubt-settled', {
    doubt: ApprovalId,
    /** `finished`: the process of the call was only slow, and wrote the result itself. */
    how: z.enum([...DoubtChoice.options, 'finished', 'expired', 'withdrawn']),
    by: UserId.optional(),
    /** The person's own words on what became of the call. */
    said: z.string().optional(),
    /** The call that replaces the lost one. */
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
  /** `finished`: as in `doubt-settled`. `withdrawn`: the run was stopped. */
  | { readonly status: 'finished' | 'expired' | 'withdrawn' };

/** The record of a doubt. Its input is looked up from the entry or from the call's approval. */
export type Doubt = Omit<RecordOf<typeof DOUBT>, 'input' | 'hides'> & DoubtLookedUp;

export interface DoubtLookedUp {
  /** As in the record of an approval. */
  readonly alsoSteeredBy: readonly UserId[];
  /** As JSON text, with its secrets hidden. */
  readonly input: string;
  /** As in the record of an approval. */
  readonly hides: readonly string[];
  /** As in the record of an approval. Absent where the call had none. */
  readonly undeclared?: readonly Undeclared[];
  /** The approval under which the call was started. */
  readonly approval?: ApprovalId;
  /** The time limit of the tool, if the tool reached it. Absent where the process of the call is gone. */
  readonly limitMs?: number;
}
