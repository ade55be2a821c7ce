import type { CardReceipt, OnCard } from './cards.ts';
import type { CallOutcome, Decision, Precondition, Progress, Referral, Wants } from './decisions.ts';
import type { ApprovalId, UserId } from './ids.ts';
import type { RuledBy, StoredDecisionRule } from './rules.ts';
import type { TrustOffer, TrustOver } from './trust.ts';
import type { Undeclared } from './undeclared.ts';

interface Asked extends OnCard {
  /** Id of the run's first entry: tells this run from a run with the same id in another store. */
  readonly firstEntry: string;
  /** People other than the requester whose messages the model was given before it asked for this call. */
  readonly alsoSteeredBy: readonly UserId[];
  readonly tool: string;
  readonly effect: 'asked' | 'guarded';
  /** What the call will do, in one sentence for people. */
  readonly summary: string;
  /** What the agent said right before the call. */
  readonly reason?: string;
  /** That stands in the thread, and nothing but cards of the same answer stands between it and the card. */
  readonly saidAbove?: true;
  /** The input as JSON text, with its secrets hidden. The digest is over the real input. */
  readonly input: string;
  /** Where in the input a secret is hidden. */
  readonly hides: readonly string[];
  /** The hidden parts that the tool's schema does not declare secret. Absent beside `hides` in a record of an older version. */
  readonly undeclared?: readonly Undeclared[];
  readonly digest: string;
  readonly rule: StoredDecisionRule;
  /** Where more than one approval is needed. */
  readonly progress?: Progress;
  /** The deployment's policy rule that made this call ask, if there is one. */
  readonly ruledBy?: RuledBy;
  readonly trust?: TrustOffer;
  /** What the tool says would happen. */
  readonly preview?: string;
  readonly precondition?: Precondition;
  /** An earlier approval became void because this, which it rested on, changed. */
  readonly was?: string;
  /** Decided only outside of Slack. */
  readonly secondFactor?: true;
  /** A policy rule under which such calls would no longer ask. */
  readonly suggestion?: string;
  /** Set when the agent asks only for a person's words. Then no call can be approved. */
  readonly wants?: Wants;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** The people and user groups that are called when the question is still pending at `atMs`. */
  readonly escalation?: { readonly atMs: number; readonly to: readonly UserId[] };
  /** The list card that has a row for this approval. */
  readonly list?: ApprovalId;
  /** The people who were asked by name, with the person who asked them. */
  readonly referred: readonly Referral[];
  /** Version of the journal when this approval last changed. A painting of an older revision is painted over. */
  readonly revision: number;
}

/** An approval, or a withdrawn question: both may be asked anew. */
export interface Replaceable<Newer> {
  /** The precondition or the rules changed before the call could run. The approval is void, and people are asked again. */
  readonly outdated?: 'world' | 'rules';
  /** The question that replaced this one. */
  readonly replacedBy?: Newer;
}

/** What a person did after the question ended. */
export interface Since {
  readonly by: UserId;
  readonly atMs: number;
}

/** The replacement has a card once that is posted. */
type Replaced = Asked & Replaceable<{ readonly id: ApprovalId; readonly card?: CardReceipt }>;
type Granted = Replaced & { readonly decision: Decision; readonly outcome: CallOutcome };

/** The record of an approval, as every view draws it. */
export type Approval =
  | (Asked & { readonly status: 'pending' })
  | (Granted & { readonly status: 'approved' })
  | (Granted & { readonly status: 'trusted'; readonly trustEnded?: TrustOver })
  | (Asked & { readonly status: 'denied' | 'answered'; readonly decision: Decision })
  | (Asked & { readonly status: 'expired'; readonly askedAgain?: Since })
  | (Replaced & { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId });

/** A card that asks about several calls of one model answer. Each call has a row and its own decision. */
export interface ListCard extends OnCard {
  /** Fixed before the card is posted. */
  readonly rows: readonly Approval[];
  /** The revision of the row that changed last. */
  readonly revision: number;
}
