import { z } from 'zod';
import { ApprovalId, RunId, Thread, TrustId, TrustOffer, UserId } from '../../records/index.ts';

/**
 * A trust outlives the run it was given in, so each trust has its own journal. A call writes its use here before it starts.
 * A revoke is an entry of the same journal, so the order of use and revoke is always known.
 */
export const TrustEntryBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('grant-given'),
    grant: TrustId,
    team: z.string(),
    tool: z.string(),
    definition: z.string(),
    /** Digest of the deployment's rules for the tool. Older trusts have none, and have ended. */
    policy: z.string().optional(),
    offer: TrustOffer,
    digest: z.string().optional(),
    thread: Thread,
    requester: UserId,
    by: UserId,
    approval: ApprovalId.optional(),
    untilMs: z.number(),
  }),
  z.object({ type: z.literal('grant-used'), run: RunId, call: z.string() }),
  z.object({ type: z.literal('grant-revoked'), by: UserId }),
]);
export type TrustEntryBody = z.infer<typeof TrustEntryBody>;
