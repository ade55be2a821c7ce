import { errorText } from './log.ts';
import type {
  Approval,
  Card,
  CardReceipt,
  Copy,
  MessageFile,
  Referral,
  Reminder,
  RunId,
  Thread,
  ToldCopy,
  TrustedCalls,
  UnheardRun,
  UserId,
} from './records/index.ts';

/**
 * What a run says and shows. `handlers/thread/thread.ts` does it in Slack.
 *
 * Slack has no idempotency key for posts, so each carries its `key` in its metadata. Where an earlier send may have
 * arrived (`maybePosted`: a crash, a timeout, a lost reply) the thread is searched for the key first, and nothing is
 * posted if the key is found. If the search fails, so does the call.
 */
export interface Surface {
  readonly say: (thread: Thread, post: Post) => Promise<CardReceipt>;
  /** Replaces the text of a post in the thread. A post that can no longer be changed is logged and is not an error. */
  readonly amend: (thread: Thread, card: CardReceipt, post: Post) => Promise<Painting>;
  /**
   * Begins an empty reply that people read while it is written; it answers `reader`. `undefined` when Slack does not offer
   * that now and no reply stands in the thread; rejects when one may.
   */
  readonly beginReply: (thread: Thread, reader: UserId) => Promise<CardReceipt | undefined>;
  /** Shows more of a begun reply; of several, only the newest. Cosmetic: resolves when this or a newer one was tried. */
  readonly growReply: (card: CardReceipt, reply: GrowingReply, thread: Thread) => Promise<void>;
  /** Removes a begun reply. Without `card`, the thread is searched for an empty one. Rejects when it may still stand. */
  readonly dropReply: (thread: Thread, card: CardReceipt | undefined) => Promise<void>;
  /** Removes a second copy of a post. A post that is gone is not an error. */
  readonly takeBack: (thread: Thread, card: CardReceipt) => Promise<void>;
  /** The same for a card that a person pressed, only if the card itself names this approval. */
  readonly takeBackSecond: (approval: Approval, pressed: CardReceipt) => Promise<void>;
  readonly postCard: (card: Card, earlier: EarlierSend) => Promise<CardReceipt>;
  /** Searches the thread for the card. Rejects when the thread cannot be searched. */
  readonly findCard: (card: Card) => Promise<CardReceipt | undefined>;
  /**
   * Redraws the card from its record, where it stands. In this process an older revision never replaces a newer one; the
   * paintings of other processes are not known. A message that is gone or can no longer be changed is logged and is not an
   * error. Any other failure rejects, and the caller owes the painting.
   */
  readonly paintCard: (card: Card, standsAt: CardReceipt) => Promise<Painting>;
  /** Resolves once a painting of the card that stands there waits for Slack's rate, or when the signal ends the wait. */
  readonly paintingHeld: (thread: Thread, standsAt: CardReceipt, signal: AbortSignal) => Promise<void>;
  /**
   * Calls people to a question: a notice calls those who cannot see its thread, a reminder those who can decide, an
   * escalation the people named for it. Calling twice posts once, because former posts are searched for first.
   */
  readonly remind: (approval: Approval, what: Reminder, outOfSight: readonly UserId[]) => Promise<Telling>;
  /** Searches for the direct messages that told these people of it. Rejects when they cannot be searched now. */
  readonly findCopies: (approval: Approval, what: Reminder, people: readonly UserId[]) => Promise<readonly Copy[]>;
  /**
   * Redraws a direct message about the approval from its record, after all other sends. A message that is gone or cannot be
   * changed is logged and is not an error, and so is a person who can no longer be written to. Any other failure rejects,
   * and the painting stays owed.
   */
  readonly paintCopy: (approval: Approval, copy: ToldCopy) => Promise<void>;
  /** Calls the one person whom another person asked by name to decide. With `maybePosted` the thread is searched first. */
  readonly callByName: (
    approval: Approval,
    referral: Pick<Referral, 'by' | 'to'>,
    earlier: { readonly maybePosted: boolean },
  ) => Promise<'called' | 'called-before'>;
  /**
   * Tells the requester directly that the run ended, and why. Posts once: a former post is searched for first. A person who
   * cannot be written to is logged and is not an error.
   */
  readonly tellUnheard: (unheard: UnheardRun) => Promise<void>;
  /** What the bot has posted of its runs in this thread, oldest first. Rejects when the thread cannot be searched now. */
  readonly ownPosts: (thread: Thread) => Promise<readonly OwnPost[]>;
  /**
   * Reads a file that a person sent, and of a picture with more bytes than `most` a smaller size if there is one. Never
   * rejects: the result says why a file cannot be read.
   */
  readonly readFile: (file: MessageFile, most: number, thread: Thread) => Promise<ReadFile>;
  /** Cosmetic: never rejects, never waits for a rate limit. */
  readonly status: (thread: Thread, status: SessionStatus, session?: Session) => Promise<void>;
  /** Resolves when the last status of this process is shown in the thread, or given up. Never rejects. */
  readonly statusShown: (thread: Thread) => Promise<void>;
  /** Shows that the work has ended. `false` when that could not be shown soon: the thread would look busy for ever. */
  readonly workEnds: (thread: Thread) => Promise<boolean>;
}

/** A post of a run whose record is kept where this bot keeps its own. */
export interface OwnPost {
  readonly run: RunId;
  /** Without the name of the run. */
  readonly key: string;
  readonly atMs: number;
}

/** `gone`: Slack has no message at that place. `refused`: Slack lets the bot change the message no more. */
export type Painting = 'painted' | 'gone' | 'refused';

/** The people who got a direct message. People who were called in the thread read the card. */
export interface Telling {
  readonly copies: readonly Copy[];
  /** Some of the copies were posted before, and may show an older state. */
  readonly found: boolean;
}

/** Slack will take no post for this place, however often it is tried. */
export abstract class UnreachableError extends Error {}

/** The bot may not post in the channel: it was archived, is gone, takes no posts of apps, or the bot was removed from it. */
export class ClosedChannelError extends UnreachableError {
  override readonly name = 'ClosedChannelError';

  constructor(channel: string, code: string) {
    super(
      `Slack takes nothing for ${channel}: ${code}. Unarchive it, invite the bot or let it post, and write to it again.`,
    );
  }
}

/** The app is not installed in the workspace, or no longer. Nothing was sent, and nothing can be. */
export class NotInstalledError extends UnreachableError {
  override readonly name = 'NotInstalledError';

  constructor(team: string) {
    super(`The app is not installed in ${team}, so nothing was sent there. Install it again to go on.`);
  }
}

/** Slack lets the bot do nothing in the workspace: its token is refused, or an administrator or a setting keeps it out. */
export class RefusingWorkspaceError extends UnreachableError {
  override readonly name = 'RefusingWorkspaceError';

  constructor(code: string) {
    super(
      `Slack lets the bot do nothing in this workspace: ${code}. Ask its administrators, or install the app again.`,
    );
  }
}

/** Slack refuses this post, now and later: the thread is locked, the message is too long, the app may not write there. */
export class RefusedPostError extends UnreachableError {
  override readonly name = 'RefusedPostError';

  constructor(channel: string, code: string) {
    super(
      `Slack refuses what is posted to ${channel}: ${code}. Look the code up in Slack's documentation and fix the cause.`,
    );
  }
}

/** Slack did not accept it this time, and may accept it later. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
}

/** The error for a failure of a surface. Its class says whether a later try makes sense. */
export function ifNotRefused(error: unknown): UnreachableError | NotYetError {
  if (error instanceof UnreachableError || error instanceof NotYetError) return error;
  return new NotYetError(`Slack did not take it yet: ${errorText(error)}`, { cause: error });
}

/** The state of the posts that are owed to a thread: all are posted, some are still owed, or they can never be posted. */
export type DebtOutcome = 'paid' | 'owing' | UnreachableError;

/** Combines several results: `owing` while any of them is still owed. */
export function settledBy(each: readonly DebtOutcome[]): DebtOutcome {
  if (each.includes('owing')) return 'owing';
  return each.find((one) => one !== 'paid') ?? 'paid';
}

export interface Post extends EarlierSend {
  readonly key: string;
  /** Markdown of the model, or plain sentences of the bot. A mention in it notifies no person. */
  readonly text: string;
  /** A line below with a person in it, such as `Stopped by` and the name. */
  readonly signed?: { readonly label: string; readonly user: UserId };
  /** Calls that ran on a trust, in place of a text. A button below ends the trust. */
  readonly trusted?: TrustedCalls;
  /** Calls that ran without asking, since the last post to the thread. */
  readonly calls?: readonly CallThatRan[];
  /** Asks people for their opinion of this post, an answer of this run in this turn. */
  readonly opinion?: { readonly run: RunId; readonly turn: number };
  /** The growing reply that people have read. This post replaces it, whatever it shows. */
  readonly into?: CardReceipt;
}

export interface EarlierSend {
  /** A process may have sent it before, so the thread is searched first. */
  readonly maybePosted: boolean;
  /** Asked right before it is sent: true when another process may have taken the post over while it waited for its turn. */
  readonly isStale?: () => boolean;
}

/** A post waited for its turn until another process may send it. It was not sent. */
export class StalePostError extends Error {
  override readonly name = 'StalePostError';
}

export interface CallThatRan {
  readonly tool: string;
  readonly outcome: 'ran' | 'failed' | 'unknown';
  readonly ms: number;
  /** The time limit of the tool, if the tool reached it. */
  readonly limitMs?: number;
}

export type ReadFile =
  | { readonly type: 'read'; readonly kind: 'image' | 'document'; readonly mediaType: string; readonly base64: string }
  /** The rest of a sentence that begins with the name of the file. */
  | { readonly type: 'unreadable'; readonly why: string };

/** A reply while it is written. */
export interface GrowingReply {
  /** The whole text so far. */
  readonly text: string;
  readonly calls: readonly GrowingCall[];
}

export interface GrowingCall {
  readonly id: string;
  readonly tool: string;
  /** One sentence for people: what the call does. */
  readonly summary: string;
  readonly status: 'running' | 'ran' | 'failed';
}

/** What Slack is told of a conversation when it begins. */
export interface Session {
  readonly title: string;
  readonly initiator: UserId;
}

/**
 * `processing`: the model or a tool is at work; `suspended`: a person is needed; `active`: the run is over; `closed`: the
 * conversation has been removed, and the next message begins a new one.
 */
export type SessionStatus = 'processing' | 'suspended' | 'active' | 'closed';
