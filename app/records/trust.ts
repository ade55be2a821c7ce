import { z } from 'zod';
import type { ApprovalId, GrantId, Thread, UserId } from './ids.ts';

/** What one press of Trust grants, and the line above the buttons that says so. The line is stored as it was shown. */
export const TrustOffer = z
  .object({
    line: z.string(),
    match: z.enum(['exact', 'fields', 'any']),
    /** For `fields`: what each of these must be, as canonical JSON. */
    where: z.record(z.string(), z.string()).readonly().optional(),
    scope: z.enum(['thread', 'channel', 'requester']),
    forMs: z.number().int().positive(),
    /** After so many calls it has ended. Absent: as many as fit into its time. */
    uses: z.number().int().positive().optional(),
  })
  .readonly();
export type TrustOffer = z.infer<typeof TrustOffer>;

/** What can be chosen about a trust; the line follows from it. */
export const StoredTrustTerms = TrustOffer.unwrap().omit({ line: true }).readonly();
export type StoredTrustTerms = z.infer<typeof StoredTrustTerms>;

/** A standing yes. The line is what was on the card, is what `/trusted` lists, and is what is matched. */
export interface Grant {
  readonly id: GrantId;
  readonly team: string;
  readonly tool: string;
  /** Of the tool's definition when it was trusted: a changed tool is not trusted. */
  readonly definition: string;
  /** Of what the deployment laid down for the tool: under other rules it is not trusted either. */
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
