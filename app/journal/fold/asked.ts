import type { Given } from '../../given.ts';
import type {
  ApprovalId,
  CardReceipt,
  Decision,
  DoubtStanding,
  InquiryStanding,
  Precondition,
  Referral,
  Reminder,
  Replaceable,
  Since,
  ToldCopy,
  UserId,
  Yes,
} from '../../records/index.ts';
import type { DoubtAsked } from '../facts/doubts.ts';
import type { EntryOf } from '../facts/entries.ts';
import type { InquiryAsked } from '../facts/inquiries.ts';
import type { AskedUnder } from '../facts/judgement.ts';
import type { TextRef } from '../facts/text-ref.ts';

/** What was asked, in the words of its entry. */
type CallAsked = Readonly<
  Given<
    Omit<EntryOf<'call-asked'>, 'type' | 'id' | 'atMs' | 'approval' | 'shown' | 'hides' | 'noticeAtMs' | 'remindAtMs'>
  >
>;

/** An approval without what has to be looked up (a long input) or follows from the call (its outcome). */
export interface AskedApproval extends CallAsked {
  readonly id: ApprovalId;
  /** The input as people are shown it. */
  readonly shown: TextRef;
  /** Where in it a secret is hidden. */
  readonly hides: readonly string[];
  readonly askedAtMs: number;
  /** So far, where several are needed. */
  readonly yeses: readonly Yes[];
  /** Whose yes counted and does not any more. */
  readonly dropped: readonly UserId[];
  readonly remindersAtMs: Readonly<Partial<Record<Reminder, number>>>;
  /** What people have been told meanwhile, and those of which stage. */
  readonly reminded: readonly { readonly what: Reminder; readonly stage: number }[];
  /** What they may have been told by somebody who died before it was written: nobody will be told that any more. */
  readonly perhapsTold: readonly { readonly what: Reminder; readonly stage: number }[];
  /** Where they were told, each by themselves. */
  readonly copies: readonly ToldCopy[];
  /** The revision that all of these show, or a newer one. */
  readonly copiesShow: number;
  /** The revision from which on they are to say what they say now. */
  readonly news: number;
  readonly referred: readonly Referral[];
  readonly card?: CardReceipt;
  /** Where it stood before somebody deleted it: who pressed there saw the same. */
  readonly lostCards: readonly CardReceipt[];
  /** The list card on which it has a row. */
  readonly list?: ApprovalId;
  readonly revision: number;
  /** The revision its card was last known to show. */
  readonly painted: number;
  /** The version of the journal that says so. */
  readonly paintedAt: number;
  readonly refusedPresses: number;
  readonly standing: ApprovalStanding;
}

export type StoredDecision = Omit<Decision, 'edit'> & {
  readonly edit?: {
    readonly input: TextRef;
    readonly shown?: TextRef | undefined;
    readonly hides?: readonly string[] | undefined;
    readonly digest: string;
    readonly summary: string;
    readonly precondition?: Precondition | undefined;
    readonly terms?: AskedUnder | undefined;
  };
};

export type ApprovalStanding =
  | { readonly status: 'pending' }
  | (Replaceable<ApprovalId> & {
      readonly status: 'decided';
      readonly decision: StoredDecision;
      readonly trustEnded?: Since;
    })
  | { readonly status: 'expired'; readonly askedAgain?: Since }
  | (Replaceable<ApprovalId> & { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId });

/** What every question has whose card is painted once. */
interface AskedOnce {
  readonly id: ApprovalId;
  readonly askedAtMs: number;
  readonly card?: CardReceipt;
  /** As of an approval. */
  readonly lostCards: readonly CardReceipt[];
  readonly painted: boolean;
}

/** What became of a call whose end nobody saw. */
export type AskedDoubt = Omit<DoubtAsked, 'type' | 'doubt'> &
  AskedOnce & { readonly kind: 'doubt'; readonly refusedChoices: number; readonly standing: DoubtStanding };

/** What a tool server wants to know. */
export type AskedInquiry = Omit<InquiryAsked, 'type' | 'inquiry'> &
  AskedOnce & { readonly kind: 'inquiry'; readonly standing: InquiryStanding };

export type AskedQuestion = AskedDoubt | AskedInquiry;
