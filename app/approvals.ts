import type { Approval, ApprovalId, CardReceipt, DecisionRule, UserId, Verdict } from './records.ts';

/** The one place that decides; every surface calls it. */
export interface Approvals {
  /** Never throws for an outage: an answer that was not recorded is `failed`, and pressing again is safe. */
  readonly decide: (press: Press) => Promise<DecideResult>;
  readonly find: (approval: ApprovalId) => Promise<Approval | undefined>;
}

export interface Press {
  readonly approval: ApprovalId;
  readonly verdict: Verdict;
  readonly by: Presser;
  /** Where it was pressed. A card must be the one that was posted; a full view has no message. */
  readonly from: { readonly type: 'card'; readonly card: CardReceipt } | { readonly type: 'full-view' };
  readonly reason?: string;
}

/** From the verified payload, never from text. */
export interface Presser {
  readonly user: UserId;
  readonly team: string;
}

export type DecideResult =
  | { readonly type: 'decided'; readonly approval: Approval }
  | { readonly type: 'already-decided'; readonly approval: Approval }
  /** Expired or cancelled: nothing was run. */
  | { readonly type: 'over'; readonly approval: Approval }
  /** `why` is a sentence for the presser; it names who can. */
  | { readonly type: 'not-yours'; readonly why: string; readonly rule: DecisionRule }
  /** A verdict that this card does not draw, or a copy of the card elsewhere. */
  | { readonly type: 'not-offered'; readonly approval: Approval }
  | { readonly type: 'unknown' }
  /** The store did not record it. */
  | { readonly type: 'failed' };
