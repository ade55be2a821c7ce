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
  TrustOver,
  UserId,
  Yes,
} from '../../records/index.ts';
import type { EntryOf } from '../facts/entries.ts';
import type { AskedUnder } from '../facts/judgement.ts';

/** The fields of `call-asked` that the fold keeps as they are. */
type CallAsked = Readonly<
  Given<
    Omit<EntryOf<'call-asked'>, 'type' | 'id' | 'atMs' | 'approval' | 'shown' | 'hides' | 'noticeAtMs' | 'remindAtMs'>
  >
>;

/** An approval, without its long input (which has to be looked up) and its outcome (which follows from the call). */
export interface AskedApproval extends CallAsked {
  readonly id: ApprovalId;
  /** The input with its secrets hidden. */
  readonly shown: TextRef;
  /** Where in the input a secret is hidden. */
  readonly hides: readonly string[];
  readonly askedAtMs: number;
  /** The approvals so far, where several are needed. */
  readonly yeses: readonly Yes[];
  /** People whose approval no longer counts. */
  readonly dropped: readonly UserId[];
  readonly remindersAtMs: Readonly<Partial<Record<Reminder, number>>>;
  /** The reminders that people were told, each with its stage. */
  readonly reminded: readonly { readonly what: Reminder; readonly stage: number }[];
  /** Reminders that a process may have sent before it died unrecorded. They are no longer due; their copies are searched. */
  readonly perhapsTold: readonly { readonly what: Reminder; readonly stage: number }[];
  /** The direct messages about this question. */
  readonly copies: readonly ToldCopy[];
  /** All copies show this revision, or a newer one. */
  readonly copiesShow: number;
  /** The revision that the copies have to show. */
  readonly news: number;
  readonly referred: readonly Referral[];
  readonly card?: CardReceipt;
  /** Deleted cards of this question. A press on one of them counts, because it showed the same. */
  readonly lostCards: readonly CardReceipt[];
  /** The list card that has a row for this approval. */
  readonly list?: ApprovalId;
  readonly revision: number;
  /** The revision that its card showed last, as far as known. */
  readonly painted: number;
  /** The version of the journal that recorded `painted`. */
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
      readonly trustEnded?: TrustOver;
    })
  | { readonly status: 'expired'; readonly askedAgain?: Since }
  | (Replaceable<ApprovalId> & { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId });

/** The fields of every question whose card is painted once. */
export interface AskedOnce {
  readonly id: ApprovalId;
  readonly askedAtMs: number;
  readonly settledAtMs?: number;
  readonly card?: CardReceipt;
  /** As in `AskedApproval`. */
  readonly lostCards: readonly CardReceipt[];
  readonly painted: boolean;
  /** How many refused answers are recorded. */
  readonly refusedChoices: number;
}

export type AskedQuestions = {
  [K in QuestionKind]: QuestionFields<K> & AskedOnce & { readonly kind: K; readonly standing: QuestionStanding<K> };
};
export type AskedQuestion = AskedQuestions[QuestionKind];
export type AskedDoubt = AskedQuestions['doubt'];
