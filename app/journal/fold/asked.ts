import type {
  Approval,
  ApprovalId,
  CardReceipt,
  Decision,
  DecisionRule,
  DoubtStanding,
  Inquiry,
  Precondition,
  Referral,
  Reminder,
  RuledBy,
  ToldCopy,
  TrustOffer,
  Undeclared,
  UserId,
  Wants,
  Yes,
} from '../../records/index.ts';
import type { DoubtAsked } from '../facts/doubts.ts';
import type { AskedUnder } from '../facts/judgement.ts';
import type { TextRef } from '../facts/text-ref.ts';

/** An approval without what has to be looked up (a long input) or follows from the call (its outcome). */
export interface AskedApproval {
  readonly id: ApprovalId;
  readonly call: string;
  readonly tool: string;
  readonly definition: string;
  readonly policy?: string;
  readonly effect: 'asked' | 'guarded';
  readonly input: TextRef;
  readonly shown?: TextRef;
  readonly hides?: readonly string[];
  readonly undeclared?: readonly Undeclared[];
  readonly digest: string;
  readonly summary: string;
  readonly reason?: string;
  readonly rule: DecisionRule;
  /** So far, where several are needed. */
  readonly yeses: readonly Yes[];
  /** Whose yes counted and does not any more. */
  readonly dropped?: readonly UserId[];
  readonly ruledBy?: RuledBy;
  readonly trust?: TrustOffer;
  readonly preview?: string;
  readonly precondition?: Precondition;
  readonly was?: string;
  /** A yes that is void, or a question that was taken back, so that people are asked again; and what has changed. */
  readonly outdated?: NonNullable<Approval['outdated']>;
  /** The question about the same call that took the place of this one. */
  readonly replacedBy?: ApprovalId;
  readonly secondFactor?: true;
  readonly suggestion?: string;
  readonly wants?: Wants;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly noticeAtMs?: number;
  readonly remindAtMs?: number;
  readonly escalation?: NonNullable<Approval['escalation']>;
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
  readonly referred?: readonly Referral[];
  readonly card?: CardReceipt;
  /** Where it stood before somebody deleted it: who pressed there saw the same. */
  readonly lostCards?: readonly CardReceipt[];
  /** The list card on which it has a row. */
  readonly list?: ApprovalId;
  readonly revision: number;
  /** The revision its card was last known to show. */
  readonly painted: number;
  /** The version of the journal that says so. */
  readonly paintedAt: number;
  readonly refusedPresses: number;
  readonly trustEnded?: NonNullable<Approval['trustEnded']>;
  readonly askedAgain?: NonNullable<Approval['askedAgain']>;
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
  | { readonly status: 'decided'; readonly decision: StoredDecision }
  | { readonly status: 'expired' }
  | { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId };

/** An open question what became of a call, or how it was answered. */
export type AskedDoubt = Omit<DoubtAsked, 'type' | 'doubt'> & {
  readonly id: ApprovalId;
  readonly askedAtMs: number;
  readonly card?: CardReceipt;
  /** As of an approval. */
  readonly lostCards?: readonly CardReceipt[];
  readonly painted: boolean;
  readonly refusedChoices: number;
  readonly standing: DoubtStanding;
};

/** What a tool server wants to know, as its entries tell it. */
export type AskedInquiry = Omit<Inquiry, 'run' | 'thread' | 'requester'> & {
  readonly call: string;
  /** Where its card stood before somebody deleted it. */
  readonly lostCards?: readonly CardReceipt[];
  readonly painted: boolean;
};
