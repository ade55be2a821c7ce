import type { CardReceipt, OnCard } from './cards.ts';
import type { CallOutcome, Decision, Precondition, Progress, Referral, Wants } from './decisions.ts';
import type { ApprovalId, UserId } from './ids.ts';
import type { RuledBy, StoredDecisionRule } from './rules.ts';
import type { TrustOffer } from './trust.ts';
import type { Undeclared } from './undeclared.ts';

interface Asked extends OnCard {
  /** Of the run: tells it from one of the same name in another store. */
  readonly firstEntry: string;
  /** People other than the requester whose messages the model was given before it asked for this call. */
  readonly alsoSteeredBy: readonly UserId[];
  readonly tool: string;
  readonly effect: 'asked' | 'guarded';
  /** One human sentence of what it will do. */
  readonly summary: string;
  /** What the agent said right before, in its own words. */
  readonly reason?: string;
  /** The input as JSON text as people are shown it; the digest is over the real one. */
  readonly input: string;
  /** Where in it a secret is hidden. */
  readonly hides: readonly string[];
  /** What of it the tool does not declare secret. Absent beside `hides` in a record of an older version. */
  readonly undeclared?: readonly Undeclared[];
  readonly digest: string;
  readonly rule: StoredDecisionRule;
  /** How far it is, where one person is not enough. */
  readonly progress?: Progress;
  /** The rule of the deployment that this was asked by, if one was. */
  readonly ruledBy?: RuledBy;
  readonly trust?: TrustOffer;
  /** What would happen, in the words of the tool. */
  readonly preview?: string;
  readonly precondition?: Precondition;
  /** It was said yes to before, and then this was not so any more. */
  readonly was?: string;
  /** Decided outside of Slack, and nowhere else. */
  readonly secondFactor?: true;
  /** The rule that would end the asking. */
  readonly suggestion?: string;
  /** The agent wants a person's words and nothing else: there is nothing that could be approved. */
  readonly wants?: Wants;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** Who is called when nobody has answered by then: people and user groups. */
  readonly escalation?: { readonly atMs: number; readonly to: readonly UserId[] };
  /** The list card on which it has a row. */
  readonly list?: ApprovalId;
  /** Who was asked by name, and by whom. */
  readonly referred: readonly Referral[];
  /** Version of the journal when this last changed: an older painting is painted over. */
  readonly revision: number;
}

/** A yes, or a question that was taken back: people may be asked anew. */
export interface Replaceable<Newer> {
  /** What it rests on, or the rules for it, changed before it could run: it is void, and people are asked again. */
  readonly outdated?: 'world' | 'rules';
  /** Asked in the place of this one. */
  readonly replacedBy?: Newer;
}

/** What a person did after the end. */
export interface Since {
  readonly by: UserId;
  readonly atMs: number;
}

/** Has a card as soon as that is posted. */
type Replaced = Asked & Replaceable<{ readonly id: ApprovalId; readonly card?: CardReceipt }>;
type Granted = Replaced & { readonly decision: Decision; readonly outcome: CallOutcome };

/** The stored record of a question to people, as every view draws it. */
export type Approval =
  | (Asked & { readonly status: 'pending' })
  | (Granted & { readonly status: 'approved' })
  | (Granted & { readonly status: 'trusted'; readonly trustEnded?: Since })
  | (Asked & { readonly status: 'denied' | 'answered'; readonly decision: Decision })
  | (Asked & { readonly status: 'expired'; readonly askedAgain?: Since })
  | (Replaced & { readonly status: 'cancelled'; readonly cause: string; readonly by?: UserId });

/** A card that asks about several calls of one answer, each in a row and with a decision of its own. */
export interface ListCard extends OnCard {
  /** Fixed before it is posted. */
  readonly rows: readonly Approval[];
  /** Of the row that changed last. */
  readonly revision: number;
}
