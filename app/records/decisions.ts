import { z } from 'zod';
import type { TrustId, UserId } from './ids.ts';
import type { TrustOffer } from './trust.ts';

/** The facts an approval rests on, as the tool found them. The text may be cut; the digest is over all of it. */
export const Precondition = z.object({ text: z.string(), digest: z.string() }).readonly();
export type Precondition = z.infer<typeof Precondition>;

/** One person's approval, where several are needed. */
export interface Yes {
  readonly by: UserId;
  readonly atMs: number;
}

/** The person `by` asked the person `to` to decide. */
export interface Referral {
  readonly by: UserId;
  readonly to: UserId;
  readonly atMs: number;
}

export interface Progress {
  /** All approvals that count, also those of earlier stages. */
  readonly yeses: readonly Yes[];
  /** The people whose approval no longer counts and who have to approve again. */
  readonly dropped?: readonly UserId[];
  /** Counted from 1. */
  readonly stage: number;
  readonly stages: number;
  /** Approvals given in this stage. */
  readonly given: number;
  readonly needed: number;
  /** The approvers of this stage. */
  readonly approvers: readonly UserId[];
}

/** `answer`: the tool does not run, and the person's words are its result. */
export const Verdict = z.enum(['approve', 'deny', 'trust', 'answer']);
export type Verdict = z.infer<typeof Verdict>;

export interface Decision {
  readonly verdict: Verdict;
  readonly by: UserId;
  readonly atMs: number;
  readonly reason?: string;
  /** The call's result, in place of what the tool would return. */
  readonly answer?: string;
  readonly grant?: TrustId;
  /** The trust that was given, where it differs from the card's one-press offer. */
  readonly trust?: TrustOffer;
  /** The input that was approved in place of the one asked for. Only this exact input may run. */
  readonly edit?: {
    readonly input: string;
    readonly digest: string;
    readonly summary: string;
    readonly precondition?: Precondition;
    readonly hides?: readonly string[];
  };
}

/** How a person answers: with one of the choices, or in their own words when there are none. */
export const Wants = z
  .object({
    choices: z.array(z.string()).readonly(),
    /** A form as JSON Schema. The answer is then JSON that fits it. */
    form: z.string().optional(),
  })
  .readonly();
export type Wants = z.infer<typeof Wants>;

/** How the approved call ended. */
export type CallOutcome =
  | { readonly type: 'waiting' }
  | { readonly type: 'running' }
  | { readonly type: 'ran'; readonly ms: number }
  /** `limitMs`: the time limit of the tool, if the tool reached it. `stopped`: it failed after it had been told to stop. */
  | { readonly type: 'failed'; readonly ms: number; readonly limitMs?: number; readonly stopped?: true }
  /** The process of the call died or gave it up. The outcome is reported as unknown, never guessed. */
  | { readonly type: 'unknown'; readonly limitMs?: number }
  | { readonly type: 'not-applied' };
