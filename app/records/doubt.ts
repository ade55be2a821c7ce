import type { CardReceipt } from './cards.ts';
import type { ApprovalId, RunId, Thread, UserId } from './ids.ts';
import type { DecisionRule } from './rules.ts';

/** What a person can say about a call of which nobody knows whether it finished. */
export type DoubtChoice = 'happened' | 'skip' | 'retry';

/** A call that may have run, and the question what is to become of it, as its view draws it. */
export interface Doubt {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  /** As of an approval. */
  readonly alsoSteeredBy: readonly UserId[];
  readonly tool: string;
  readonly summary: string;
  /** The input as JSON text: what may have run, with its secrets hidden. */
  readonly input: string;
  readonly digest: string;
  readonly effect: 'asked' | 'guarded';
  readonly rule: DecisionRule;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly card?: CardReceipt;
  /** The approval that the call was started on. */
  readonly approval?: ApprovalId;
  readonly standing: DoubtStanding;
}

export type DoubtStanding =
  | { readonly status: 'pending' }
  | { readonly status: DoubtChoice; readonly by: UserId; readonly atMs: number; readonly said?: string }
  /** Its process was only slow, and has said so itself. */
  | { readonly status: 'finished' }
  | { readonly status: 'expired' }
  /** The run was stopped. */
  | { readonly status: 'withdrawn' };
