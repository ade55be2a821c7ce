import { z } from 'zod';
import type { ApprovalId, RunId, Thread, TrustId, UserId } from './ids.ts';

/** What one press of Trust grants, and the line above the buttons that says so. The line is stored exactly as shown. */
export const TrustOffer = z
  .object({
    line: z.string(),
    match: z.enum(['exact', 'fields', 'any']),
    /** For `fields`: the required value of each field, as canonical JSON. */
    where: z.record(z.string(), z.string()).readonly().optional(),
    scope: z.enum(['thread', 'channel', 'requester']),
    forMs: z.number().int().positive(),
    /** The trust ends after this many calls. Absent: only its time limits it. */
    uses: z.number().int().positive().optional(),
  })
  .readonly();
export type TrustOffer = z.infer<typeof TrustOffer>;

/** What a person can choose about a trust. The line is derived from it. */
export const StoredTrustTerms = TrustOffer.unwrap().omit({ line: true }).readonly();
export type StoredTrustTerms = z.infer<typeof StoredTrustTerms>;

/** A standing approval. Its line is the one shown on the card, listed by `/trusted`, and matched against calls. */
export interface StandingTrust {
  readonly id: TrustId;
  readonly team: string;
  readonly tool: string;
  /** Digest of the tool's definition when it was trusted. A changed tool is not trusted. */
  readonly definition: string;
  /** Digest of the deployment's rules for the tool. Under changed rules the tool is not trusted. */
  readonly policy?: string;
  readonly offer: TrustOffer;
  /** For `exact`: the digest that matches. */
  readonly digest?: string;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly by: UserId;
  readonly approval?: ApprovalId;
  readonly givenAtMs: number;
  readonly untilMs: number;
  readonly uses: number;
  readonly revoked?: { readonly by: UserId; readonly atMs: number };
}

/** The end of a trust. Without `by`, its time or its uses ran out. */
export interface TrustOver {
  readonly by?: UserId;
  readonly atMs: number;
}

/** A trust that has ended, and who has to hear it: the card that gave it, and the runs that used it. */
export interface EndedTrust {
  readonly approval: ApprovalId | undefined;
  readonly trust: TrustId;
  /** Absent: it ran out. */
  readonly by: UserId | undefined;
  readonly runs: readonly RunId[];
}
