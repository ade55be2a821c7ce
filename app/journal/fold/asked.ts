import type { Given } from '../../given.ts';
import type {
  ApprovalId,
  CardReceipt,
  Decision,
  Precondition,
  QuestionFields,
  QuestionKind,
  QuestionStanding,
  Referral,
  Reminder,
  Replaceable,
  Since,
  TextRef,
  ToldCopy,
  UserId,
  Yes,
} from '../../records/index.ts';
import type { EntryOf } from '../facts/entries.ts';
import type { AskedUnder } from '../facts/judgement.ts';

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
export interface AskedOnce {
  readonly id: ApprovalId;
  readonly askedAtMs: number;
  readonly card?: CardReceipt;
  /** As of an approval. */
  readonly lostCards: readonly CardReceipt[];
  readonly painted: boolean;
  /** Answers that were refused and written down. */
  readonly refusedChoices: number;
}

export type AskedQuestions = {
  [K in QuestionKind]: QuestionFields<K> & AskedOnce & { readonly kind: K; readonly standing: QuestionStanding<K> };
};
export type AskedQuestion = AskedQuestions[QuestionKind];
export type AskedDoubt = AskedQuestions['doubt'];
