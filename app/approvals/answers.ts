import type { NotRecorded, Presser } from '../journal/index.ts';
import type {
  Approval,
  ApprovalId,
  CardReceipt,
  Doubt,
  ListCard,
  RunId,
  StoredDecisionRule,
  StoredTrustTerms,
  TrustOffer,
  UserId,
  Verdict,
} from '../records/index.ts';

export type { Presser };

/** The one place that decides; every surface calls it. */
export interface Approvals {
  /** Never throws for an outage: an answer that was not recorded is `failed`, and pressing again is safe. */
  readonly decide: (press: VerdictPress) => Promise<DecideResult>;
  /** The same press on every row of a list card that still waits; those that are decided stay as they are. */
  readonly decideAll: (press: PressOnAll) => Promise<DecideAllResult>;
  readonly findList: (list: ApprovalId) => Promise<ListCard | undefined>;
  readonly find: (approval: ApprovalId) => Promise<Approval | undefined>;
  /** Is this a question that our own store has lost? Only then may its card be changed: others may share our app. */
  readonly isLost: (claim: LostClaim) => Promise<boolean>;
  /** Somebody deleted the card of these. What waits is shown again; doing it twice shows it once. */
  readonly cardDeleted: (approval: ApprovalId, card: CardReceipt) => Promise<void>;
  /** Could this person decide it now? For whoever is about to fill in a form; nothing is recorded, and a press asks again. */
  readonly consider: (approval: ApprovalId, by: Presser) => Promise<ConsiderResult>;
  /** Open questions that this person can answer, oldest first. */
  readonly waitingFor: (by: Presser) => Promise<WaitingList>;
  /** Open questions that come from what this person asked for, oldest first. */
  readonly askedBy: (by: Presser) => Promise<WaitingList>;
  /** What was lately answered by this person or for them, or ran out of time; newest first. */
  readonly settledFor: (by: Presser) => Promise<readonly Approval[]>;
  /** The line that a trust on these terms would be stored under, if this person may give it. Nothing is recorded. */
  readonly offerTrust: (approval: ApprovalId, by: Presser, terms: StoredTrustTerms) => Promise<OfferResult>;
  /** Asks one more person, by name, to decide. They need the right to; it is not given by this. */
  readonly refer: (approval: ApprovalId, by: Presser, to: UserId) => Promise<ReferResult>;
  /** Puts an expired request to the agent once more, in the name of whoever made it. Decides nothing. */
  readonly askAgain: (approval: ApprovalId, by: Presser) => Promise<AskAgainResult>;
}

/** What a card says of itself, where no such approval is on record. */
export interface LostClaim {
  readonly approval: ApprovalId;
  readonly run: RunId;
  readonly firstEntry: string;
}

/** What happens to an approval without a person. */
export interface ApprovalsAtWork {
  /** Called when the time of an approval may have come; the store's clock has the last word. */
  readonly expire: (approval: ApprovalId) => Promise<void>;
  /** The trust that a decision gave was taken away: its card stops offering that. */
  readonly trustEnded: (approval: ApprovalId, by: UserId) => Promise<void>;
  /** Takes a question back that no person can answer. */
  readonly cancel: (approval: ApprovalId, cause: string) => Promise<void>;
}

export interface VerdictPress {
  readonly approval: ApprovalId;
  readonly verdict: Verdict;
  readonly by: Presser;
  /** Where it was pressed. A card must be the one that was posted; a full view has no message. */
  readonly from:
    | {
        readonly type: 'card';
        readonly card: CardReceipt;
        /** The revision that was seen there, where the press says so. */
        readonly shows?: number;
      }
    | { readonly type: 'full-view' }
    /** The page showed the call with this digest. */
    | { readonly type: 'web'; readonly digest: string };
  readonly reason?: string;
  /** What the tool's result is to be, in place of running it; with the verdict `answer`. */
  readonly answer?: string;
  /** As it was typed: what is to run in place of what was asked. */
  readonly edit?: string;
  /** For a trust on other terms than the card's own. */
  readonly terms?: StoredTrustTerms;
}

export interface PressOnAll extends Pick<VerdictPress, 'by' | 'reason'> {
  readonly list: ApprovalId;
  readonly verdict: 'approve' | 'deny';
  /** Where it was pressed. */
  readonly card: CardReceipt;
}

export type DecideAllResult =
  /** What became of each row, in their order. */
  | { readonly type: 'decided'; readonly results: readonly DecideResult[] }
  | { readonly type: 'not-offered' | 'unknown' }
  | NotRecorded;

export type DecideResult =
  | { readonly type: 'decided'; readonly approval: Approval }
  /** One of several yeses that are needed: it counts, and nothing runs yet. */
  | { readonly type: 'counted'; readonly approval: Approval }
  | { readonly type: 'already-decided'; readonly approval: Approval }
  /** Expired or cancelled: nothing was run. */
  | { readonly type: 'over'; readonly approval: Approval }
  /** `why` is a sentence for the presser; it names who can. */
  | { readonly type: 'not-yours'; readonly why: string; readonly rule: StoredDecisionRule }
  /** The rules are not those of the card any more: it was taken back, and the call is asked anew. */
  | { readonly type: 'outdated'; readonly why: string }
  /** A verdict that this card does not draw, or the same card elsewhere. */
  | { readonly type: 'not-offered'; readonly approval: Approval }
  /** What was typed or chosen cannot be; nothing is recorded, and the form stays open. */
  | { readonly type: 'unfit'; readonly problem: string }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type ConsiderResult =
  | { readonly type: 'open'; readonly approval: Approval }
  | Exclude<DecideResult, { readonly type: 'decided' | 'counted' | 'outdated' | 'not-offered' | 'unfit' }>;

export interface WaitingList {
  readonly approvals: readonly Approval[];
  /** Calls of which they can say what became. */
  readonly doubts?: readonly Doubt[];
  /** How many more there are. */
  readonly more: number;
}

export type ReferResult =
  | { readonly type: 'referred'; readonly approval: Approval }
  /** It is on record, and nobody could tell them. */
  | { readonly type: 'uncalled'; readonly approval: Approval }
  | { readonly type: 'unfit'; readonly problem: string }
  | Exclude<ConsiderResult, { readonly type: 'open' }>;

export type OfferResult =
  | { readonly type: 'offered'; readonly approval: Approval; readonly offer: TrustOffer }
  | { readonly type: 'unfit'; readonly problem: string }
  | Exclude<ConsiderResult, { readonly type: 'open' }>;

export type AskAgainResult =
  | { readonly type: 'asked' | 'asked-before' | 'not-expired' | 'not-yours'; readonly approval: Approval }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type SettledAnswer = Extract<DecideResult, { readonly type: 'already-decided' | 'over' | 'failed' }>;

/** What somebody hears who comes to an approval that is settled. */
export function settledAnswer(approval: Approval | undefined): SettledAnswer {
  switch (approval?.status) {
    case undefined:
    case 'pending':
      // Somebody's clock and the store's disagree for a moment: nothing was recorded, so pressing again is safe.
      return { type: 'failed' };
    case 'approved':
    case 'trusted':
    case 'denied':
    case 'answered':
      return { type: 'already-decided', approval };
    case 'expired':
    case 'cancelled':
      return { type: 'over', approval };
  }
}
