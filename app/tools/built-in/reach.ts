import type { Forwarded, Thread, UserId } from '../../records/index.ts';

/**
 * What built-in tools need of Slack. A tool hands on its requester, and the implementation checks: through the bot, no
 * requester reads or writes where Slack would not let them.
 */
export interface ThreadReach {
  /** The newest messages of the thread, in the order they were written. */
  readonly readThread: (thread: Thread, options: ReadOptions) => Promise<readonly SaidMessage[]>;
  /** The newest top-level messages of the channel that the thread is in, in the order they were written. */
  readonly readChannel: (thread: Thread, options: ReadOptions) => Promise<readonly SaidMessage[]>;
  /**
   * People of the workspace of the thread: by id, or by a part of a name or handle. The best fit first. Rejects unless
   * everyone who steered the call is a full member: only they may look through the directory of the workspace.
   */
  readonly findPerson: (
    thread: Thread,
    query: string,
    options: ReadOptions & { readonly steeredBy: readonly UserId[] },
  ) => Promise<readonly FoundPerson[]>;
  /** Rejects when the requester may not post there, or when the channel belongs to another workspace. */
  readonly post: (post: ChannelPost) => Promise<Receipt | DoubtedPost>;
  readonly upload: (upload: ThreadUpload) => Promise<Receipt | DoubtedPost>;
}

export interface ReadOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface SaidMessage {
  readonly ts: string;
  /** A person's id, or the name of a bot. */
  readonly by: string;
  readonly name: string | undefined;
  readonly text: string;
  /** The names of its files. */
  readonly files?: readonly string[];
  readonly forwarded?: readonly Forwarded[];
}

export interface FoundPerson {
  readonly id: UserId;
  readonly name: string;
  readonly title: string | undefined;
  readonly timeZone: string | undefined;
  readonly kind: 'person' | 'guest' | 'bot' | 'deactivated';
}

interface Work {
  readonly thread: Thread;
  readonly requester: UserId;
  /** The same for every attempt at one call. One key posts once. */
  readonly key: string;
  readonly signal: AbortSignal;
}

export interface ChannelPost extends Work {
  /** An id such as C0123ABCD. */
  readonly channel: string;
  readonly text: string;
}

export interface ThreadUpload extends Work {
  readonly fileName: string;
  readonly content: string;
}

export interface Receipt {
  /** Where people find the post, if that is known. */
  readonly link: string | undefined;
}

/** It may stand there, or a part of it does. */
export interface DoubtedPost {
  /** What is known, as a sentence. */
  readonly known: string;
}
