import { z } from 'zod';
import type { GrantId, UserId } from './ids.ts';
import type { TrustOffer } from './trust.ts';

/** What a yes rests on, as the tool saw the world. The text may be cut, the digest is over all of it. */
export const Precondition = z.object({ text: z.string(), digest: z.string() }).readonly();
export type Precondition = z.infer<typeof Precondition>;

/** One of several yeses that are needed. */
export interface Yes {
  readonly by: UserId;
  readonly atMs: number;
}

/** Somebody asked somebody to decide. */
export interface Referral {
  readonly by: UserId;
  readonly to: UserId;
  readonly atMs: number;
}

export interface Progress {
  /** All that count, also of earlier stages. */
  readonly yeses: readonly Yes[];
  /** Who said yes, and has to again: it does not count any more. */
  readonly dropped?: readonly UserId[];
  /** Counted from 1. */
  readonly stage: number;
  readonly stages: number;
  /** In this stage. */
  readonly given: number;
  readonly needed: number;
  /** Whose turn it is. */
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
  /** In place of what the tool would have said. */
  readonly answer?: string;
  readonly grant?: GrantId;
  /** The trust that was given, where it is another than the card offered in one press. */
  readonly trust?: TrustOffer;
  /** What was approved in place of what was asked for: this runs, to the letter, or nothing does. */
  readonly edit?: {
    readonly input: string;
    readonly digest: string;
    readonly summary: string;
    readonly precondition?: Precondition;
    readonly hides?: readonly string[];
  };
}

/** What a person may choose from; with nothing to choose from they write. */
export const Wants = z
  .object({
    choices: z.array(z.string()).readonly(),
    /** A form to fill in, as JSON Schema: then the answer is JSON that fits it. */
    form: z.string().optional(),
  })
  .readonly();
export type Wants = z.infer<typeof Wants>;

/** How the call that was approved came out. */
export type CallOutcome =
  | { readonly type: 'waiting' }
  | { readonly type: 'running' }
  | { readonly type: 'ran'; readonly ms: number }
  | { readonly type: 'failed'; readonly ms: number }
  /** The process died in between, or what allowed it is gone: said, never guessed. */
  | { readonly type: 'unknown' }
  | { readonly type: 'not-applied' };
