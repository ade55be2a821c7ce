import type {
  Approval,
  Card,
  CardReceipt,
  Copy,
  GrantId,
  MessageFile,
  Referral,
  Reminder,
  RunId,
  Thread,
  ToldCopy,
  UserId,
} from './records/index.ts';

/**
 * What a run needs from the place it talks in. `handlers/thread/thread.ts` provides it for Slack.
 *
 * Posts have no idempotency key at Slack, so each carries its `key` in its metadata. After a doubt (`maybePosted`: a
 * crash, a timeout, a lost reply) the thread is searched for the key first, and nothing is posted if it is there; if
 * the search fails, so does the call.
 */
export interface Surface {
  readonly say: (thread: Thread, post: Post) => Promise<CardReceipt>;
  /** Makes a post that stands in the thread say this. One that was deleted is logged and not an error. */
  readonly amend: (thread: Thread, card: CardReceipt, post: Post) => Promise<void>;
  /**
   * Begins a reply that people read while it is written; `reader` is whom it answers. It has no words yet. `undefined`
   * when that is not to be had now and nothing stands in the thread; rejects when something may.
   */
  readonly beginReply: (thread: Thread, reader: UserId) => Promise<CardReceipt | undefined>;
  /** Shows more of it, sooner or later, the newest first. Cosmetic: resolves when this or something newer was tried. */
  readonly growReply: (card: CardReceipt, reply: GrowingReply, thread: Thread) => Promise<void>;
  /** Takes it back. Without a place, the thread is searched for one without words. Rejects when it may still stand. */
  readonly dropReply: (thread: Thread, card: CardReceipt | undefined) => Promise<void>;
  /** Removes a post that stands there twice. One that is gone is not an error. */
  readonly takeBack: (thread: Thread, card: CardReceipt) => Promise<void>;
  /** The same for what somebody pressed, only if it says itself that it is about this approval. */
  readonly takeBackSecond: (approval: Approval, pressed: CardReceipt) => Promise<void>;
  readonly postCard: (card: Card, doubt: { readonly maybePosted: boolean }) => Promise<CardReceipt>;
  /** Looks for it in its thread; rejects when the thread cannot be searched. */
  readonly findCard: (card: Card) => Promise<CardReceipt | undefined>;
  /**
   * Redraws it from its record, where it stands. An older revision never replaces a newer one of this process; what another
   * process paints is not known here. A message that is gone, or cannot be changed any more, is logged and not an error; any
   * other failure rejects, and the caller owes the painting.
   */
  readonly paintCard: (card: Card, standsAt: CardReceipt) => Promise<Painting>;
  /**
   * Calls people to a question: with a notice each of those out of its sight, then those who can decide, with an escalation
   * others. Twice is once: what was said is searched for first.
   */
  readonly remind: (approval: Approval, what: Reminder, outOfSight: readonly UserId[]) => Promise<Telling>;
  /** Looks for what these people were told of it; rejects when that cannot be found out now. */
  readonly findCopies: (approval: Approval, what: Reminder, people: readonly UserId[]) => Promise<readonly Copy[]>;
  /**
   * Redraws what a person was told of it from its record. Gives way to all else. One that is gone or cannot be changed is
   * logged and not an error, nor is somebody who is written to no more; any other failure rejects, and it stays owed.
   */
  readonly paintCopy: (approval: Approval, copy: ToldCopy) => Promise<void>;
  /** Calls one person whom another one has asked by name to decide. After a doubt the thread is searched for it first. */
  readonly callByName: (
    approval: Approval,
    referral: Pick<Referral, 'by' | 'to'>,
    doubt: { readonly maybePosted: boolean },
  ) => Promise<'called' | 'called-before'>;
  /** What is in a file that a person sent. Never rejects: what cannot be had is said in words. */
  readonly readFile: (file: MessageFile, thread: Thread) => Promise<ReadFile>;
  /** Cosmetic: never rejects, never waits for a rate limit. */
  readonly status: (thread: Thread, status: SessionStatus, session?: Session) => Promise<void>;
  /** Resolves when the last status of this process is shown there, or given up. Never rejects. */
  readonly statusShown: (thread: Thread) => Promise<void>;
  /** Shows that nobody works any more. `false` when that could not be shown soon: the thread would look busy for ever. */
  readonly workEnds: (thread: Thread) => Promise<boolean>;
}

/** `gone`: Slack knows no message there. */
export type Painting = 'painted' | 'gone';

/** Those who were told by themselves; who was called in the thread reads the card. */
export interface Telling {
  readonly copies: readonly Copy[];
  /** Some of them were there before, and may say something older. */
  readonly found: boolean;
}

/** Nobody can be told anything there, however often it is tried. */
export abstract class UnreachableError extends Error {}

/** The channel takes nothing any more: it was archived, is gone, or the bot was removed from it. */
export class ClosedChannelError extends UnreachableError {
  override readonly name = 'ClosedChannelError';

  constructor(channel: string, code: string) {
    super(
      `Slack takes nothing for ${channel} any more: ${code}. Unarchive it or invite the bot, and write to it again.`,
    );
  }
}

/** The app is not installed in the workspace, or not any more: nothing was sent, and nothing can be. */
export class NotInstalledError extends UnreachableError {
  override readonly name = 'NotInstalledError';

  constructor(team: string) {
    super(`The app is not installed in ${team}, so nothing was sent there. Install it again to go on.`);
  }
}

/** Slack refuses this post, now and later: the thread is locked, the message is too long, the app may not write there. */
export class RefusedPostError extends UnreachableError {
  override readonly name = 'RefusedPostError';

  constructor(channel: string, code: string) {
    super(
      `Slack refuses what is posted to ${channel}: ${code}. Look the code up in Slack's documentation and mend it.`,
    );
  }
}

/** Slack did not take it this time, and may take it later. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
}

/** What is thrown for a failure of a surface: it says whether a later try makes sense. */
export function ifNotRefused(error: unknown): UnreachableError | NotYetError {
  if (error instanceof UnreachableError || error instanceof NotYetError) return error;
  return new NotYetError(`Slack did not take it yet: ${String(error)}`, { cause: error });
}

/** What became of debts to a thread: they are paid, something is still owed, or it can never be paid. */
export type DebtOutcome = 'paid' | 'owing' | UnreachableError;

export const whyOwed = (error: unknown): DebtOutcome => (error instanceof UnreachableError ? error : 'owing');

/** Of several: as long as one may yet be paid, it is tried again. */
export function settledBy(each: readonly DebtOutcome[]): DebtOutcome {
  if (each.includes('owing')) return 'owing';
  return each.find((one) => one !== 'paid') ?? 'paid';
}

export interface Post {
  readonly key: string;
  /** Markdown as the model writes it, or our own plain sentences. Nothing in it can mention anybody. */
  readonly text: string;
  /** A line below, with a person in it: `Stopped by` and who. */
  readonly signed?: { readonly label: string; readonly user: UserId };
  /** The trust that let it happen; a button below ends it. */
  readonly endsTrust?: EndableTrust;
  /** Calls that ran without anybody being asked, since the thread was last told something. */
  readonly calls?: readonly CallThatRan[];
  /** People are asked what they think of it: an answer of this run, by its turn. */
  readonly opinion?: { readonly run: RunId; readonly turn: number };
  /** People have read along here: it becomes this post, whatever it shows. */
  readonly into?: CardReceipt;
  readonly maybePosted: boolean;
}

export interface EndableTrust {
  readonly grant: GrantId;
  readonly tool: string;
}

export interface CallThatRan {
  readonly tool: string;
  readonly outcome: 'ran' | 'failed' | 'unknown';
  readonly ms: number;
}

export type ReadFile =
  | { readonly type: 'read'; readonly kind: 'image' | 'document'; readonly mediaType: string; readonly base64: string }
  /** The rest of a sentence that begins with the name of the file. */
  | { readonly type: 'unreadable'; readonly why: string };

/** A reply while it is written. */
export interface GrowingReply {
  /** All of it so far. */
  readonly text: string;
  readonly calls: readonly GrowingCall[];
}

export interface GrowingCall {
  readonly id: string;
  readonly tool: string;
  /** One human sentence of what it does. */
  readonly summary: string;
  readonly status: 'running' | 'ran' | 'failed';
}

/** What is said of a conversation when it begins. */
export interface Session {
  readonly title: string;
  readonly initiator: UserId;
}

/**
 * `processing`: model or tool at work; `suspended`: a person is needed; `active`: our turn is over; `closed`: nothing of
 * the conversation is known any more, and whoever writes begins a new one.
 */
export type SessionStatus = 'processing' | 'suspended' | 'active' | 'closed';
