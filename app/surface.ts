import type { Approval, CardReceipt, GrantId, Inquiry, Thread, UserId } from './records.ts';

/**
 * What a run needs from the place it talks in. `handlers/thread.ts` provides it for Slack.
 *
 * Posts have no idempotency key at Slack, so each carries its `key` in its metadata. After a doubt (`maybePosted`: a
 * crash, a timeout, a lost reply) the thread is searched for the key first, and nothing is posted if it is there; if
 * the search fails, so does the call.
 */
export interface Surface {
  readonly say: (thread: Thread, post: Post) => Promise<CardReceipt>;
  readonly postCard: (approval: Approval, doubt: { readonly maybePosted: boolean }) => Promise<CardReceipt>;
  /** Looks for the card of an approval in its thread; rejects when the thread cannot be searched. */
  readonly findCard: (approval: Approval) => Promise<CardReceipt | undefined>;
  /**
   * Redraws the card from its record. An older revision never replaces a newer one. A deleted message is logged and
   * not an error; any other failure rejects, and the caller owes the painting.
   */
  readonly paintCard: (approval: Approval) => Promise<void>;
  /** Calls those who can decide, or those it is escalated to. Twice is once: what was said is searched for first. */
  readonly remind: (approval: Approval, what: 'reminder' | 'escalation') => Promise<void>;
  readonly postInquiry: (inquiry: Inquiry, doubt: { readonly maybePosted: boolean }) => Promise<CardReceipt>;
  /** As `findCard`. */
  readonly findInquiry: (inquiry: Inquiry) => Promise<CardReceipt | undefined>;
  /** As `paintCard`. */
  readonly paintInquiry: (inquiry: Inquiry) => Promise<void>;
  /** Cosmetic: never rejects, never waits for a rate limit. */
  readonly status: (thread: Thread, status: SessionStatus) => Promise<void>;
}

export interface Post {
  readonly key: string;
  /** Markdown as the model writes it, or our own plain sentences. Nothing in it can mention anybody. */
  readonly text: string;
  /** A line below, with a person in it: `Stopped by` and who. */
  readonly signed?: { readonly label: string; readonly user: UserId };
  /** The trust that let it happen; a button below ends it. */
  readonly endsTrust?: GrantId;
  readonly maybePosted: boolean;
}

/** `processing`: model or tool at work; `suspended`: a person is needed; `active`: our turn is over. */
export type SessionStatus = 'processing' | 'suspended' | 'active';
