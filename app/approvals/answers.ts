import type { NotRecorded } from '../journal/index.ts';
import type {
  Approval,
  ApprovalId,
  CardReceipt,
  Decision,
  Doubt,
  EndedTrust,
  ListCard,
  Person,
  RunId,
  StoredTrustTerms,
  TrustOffer,
  UnheardRun,
  UserId,
  Verdict,
} from '../records/index.ts';

/** The only place that decides. Every surface calls it. */
export interface Approvals {
  /** Never throws for an outage: a press that was not recorded is `failed`, and pressing again is safe. */
  readonly decide: (press: VerdictPress) => Promise<DecideResult>;
  /** The same press on every row of a list card that still waits. Decided rows stay as they are. */
  readonly decideAll: (press: PressOnAll) => Promise<DecideAllResult>;
  readonly findList: (list: ApprovalId) => Promise<ListCard | undefined>;
  readonly find: (approval: ApprovalId) => Promise<Approval | undefined>;
  /** Whether no question with this id is on record. */
  readonly isUnknown: (question: ApprovalId) => Promise<boolean>;
  /** Whether our own store has lost this question. Only then may its card be changed: another deployment may share the app. */
  readonly isLost: (claim: LostClaim) => Promise<boolean>;
  /** Whether this card can show what came of a press on it, once its paintings were tried. Never rejects. */
  readonly isShown: (card: CardReceipt) => Promise<boolean>;
  /** Handles the deletion of a card. Its open questions are shown again, only once however often this is called. */
  readonly cardDeleted: (approval: ApprovalId, card: CardReceipt) => Promise<void>;
  /** Whether this person could decide now, asked before a form opens. Nothing is recorded, and the press is judged again. */
  readonly consider: (approval: ApprovalId, by: Person) => Promise<ConsiderResult>;
  /** Open questions that this person can answer, oldest first, and what of theirs ended unheard. */
  readonly waitingFor: (by: Person) => Promise<WaitingList>;
  /** Open questions about what this person asked the agent for, oldest first. */
  readonly askedBy: (by: Person) => Promise<WaitingList>;
  /**
   * Recent questions answered by this person or for their requests, and expired ones; newest first. With `most`, only so many of a
   * day are looked at.
   */
  readonly settledFor: (by: Person, most?: number) => Promise<readonly Approval[]>;
  /** Calls that people approved several times in a row, for a person whom the configuration names for that. */
  readonly suggestedTo: (by: Person) => Promise<readonly Approval[]>;
  /** The line of a trust on these terms, if this person may give it. Nothing is recorded. */
  readonly offerTrust: (approval: ApprovalId, by: Person, terms: StoredTrustTerms) => Promise<OfferResult>;
  /** Asks one more person by name to decide. That person needs the right to decide; this call does not give it. */
  readonly refer: (approval: ApprovalId, by: Person, to: UserId) => Promise<ReferResult>;
  /** Puts an expired request to the agent once more, in the name of its requester. Decides nothing. */
  readonly askAgain: (approval: ApprovalId, by: Person) => Promise<AskAgainResult>;
}

/** What a card says about itself when no such approval is on record. */
export interface LostClaim {
  readonly approval: ApprovalId;
  /** Its run, with an id that only a journal in our store has. */
  readonly origin: { readonly run: RunId; readonly firstEntry: string } | undefined;
  /** Where the bot that posted it keeps its facts. */
  readonly place: string | undefined;
}

/** What happens to an approval without a person. */
export interface ApprovalsAtWork {
  /** Call when the time of an approval may have come. The store's clock decides whether it has. */
  readonly expire: (approval: ApprovalId) => Promise<void>;
  /** A trust has ended: its card, and the lines of the runs that used it, stop offering to end it. `owing`: not all of them yet. */
  readonly trustEnded: (end: EndedTrust) => Promise<'shown' | 'owing'>;
  /** Takes back a question that no person can answer. */
  readonly cancel: (approval: ApprovalId, cause: string) => Promise<void>;
}

export interface VerdictPress {
  readonly approval: ApprovalId;
  /** The run that the card or the form names. It saves looking for the run, and nothing rests on it. */
  readonly run?: RunId | undefined;
  readonly verdict: Verdict;
  readonly by: Person;
  /** Where it was pressed. A card must be the one that was posted. A full view has no message. */
  readonly from:
    | {
        readonly type: 'card';
        readonly card: CardReceipt;
        /** The revision that the presser saw, if the press has it. */
        readonly shows?: number;
      }
    | { readonly type: 'full-view' }
    /** The page showed the call with this digest. */
    | { readonly type: 'web'; readonly digest: string };
  readonly reason?: string;
  /** The result to give in place of running the tool; with the verdict `answer`. */
  readonly answer?: string;
  /** The input to run in place of the one that was asked, as it was typed. */
  readonly edit?: string;
  /** The digest of the call that the form to confirm it showed. */
  readonly confirms?: string | undefined;
  /** For a trust on other terms than the card's own. */
  readonly terms?: StoredTrustTerms;
}

export interface PressOnAll extends Pick<VerdictPress, 'by' | 'reason' | 'run'> {
  readonly list: ApprovalId;
  readonly verdict: 'approve' | 'deny';
  /** Where it was pressed. */
  readonly card: CardReceipt;
}

export type DecideAllResult =
  /** What became of each row, in the order of the rows. */
  | { readonly type: 'decided'; readonly results: readonly DecideResult[] }
  | { readonly type: 'not-offered' | 'unknown' }
  | NotRecorded;

export type DecideResult =
  | { readonly type: 'decided'; readonly approval: Approval }
  /** Several approvals are needed. This one counts, and nothing runs yet. */
  | { readonly type: 'counted'; readonly approval: Approval }
  /** The call is guarded. Nothing is recorded until the person confirms it, as edited where the person typed another input. */
  | { readonly type: 'unconfirmed'; readonly approval: Approval; readonly edit?: Decision['edit'] }
  /** `repeats`: by this person and with this verdict, so the press that counted came or was pressed again. */
  | { readonly type: 'already-decided'; readonly approval: Approval; readonly repeats?: true }
  /** Expired or cancelled: nothing was run. */
  | { readonly type: 'over'; readonly approval: Approval }
  /**
   * `why` is a sentence for the presser. `notNamed`: the only reason is that other people decide. `isCounted`: their yes counts
   * already.
   */
  | {
      readonly type: 'not-yours';
      readonly why: string;
      readonly notNamed?: true;
      readonly isCounted?: true;
      readonly approval: Approval;
    }
  /** The rules have changed since the card was posted: it was taken back, and the call is asked anew. */
  | { readonly type: 'outdated'; readonly why: string }
  /** A verdict that this card has no button for, or a copy of the card elsewhere. */
  | { readonly type: 'not-offered'; readonly approval: Approval }
  /** What was typed or chosen is not valid. Nothing is recorded, and the form stays open. */
  | { readonly type: 'unfit'; readonly problem: string }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type ConsiderResult =
  | { readonly type: 'open'; readonly approval: Approval }
  | Exclude<
      DecideResult,
      { readonly type: 'decided' | 'counted' | 'unconfirmed' | 'outdated' | 'not-offered' | 'unfit' }
    >;

export interface WaitingList {
  readonly approvals: readonly Approval[];
  /** Calls with an unknown outcome that this person can resolve. */
  readonly doubts?: readonly Doubt[];
  /** How many more questions there are. */
  readonly more: number;
  /** Recent runs of this person that ended without a word in their thread, newest first. */
  readonly unheard?: readonly UnheardRun[];
}

export type ReferResult =
  | { readonly type: 'referred'; readonly approval: Approval }
  /** The referral is recorded, but Slack did not take the call to that person. */
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

/** The answer to a press on an approval that is settled. */
export function settledAnswer(
  approval: Approval | undefined,
  press?: { readonly by: UserId; readonly verdict: Verdict },
): SettledAnswer {
  switch (approval?.status) {
    case undefined:
    case 'pending':
      // The press and the store disagree on the time for a moment. Nothing was recorded, so pressing again is safe.
      return { type: 'failed' };
    case 'approved':
    case 'trusted':
    case 'denied':
    case 'answered': {
      const { by, verdict, edit, trust } = approval.decision;
      // With an input or terms of the person's own, the decision is another one than this press.
      const repeats = press?.by === by && press.verdict === verdict && edit === undefined && trust === undefined;
      return { type: 'already-decided', approval, ...(repeats ? { repeats } : {}) };
    }
    case 'expired':
    case 'cancelled':
      return { type: 'over', approval };
  }
}
