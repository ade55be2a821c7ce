import type { Block } from './block-kit/blocks.ts';
import type { ViewContent } from './block-kit/check.ts';
import type { ApiJson, ApiObject } from './json.ts';

/** What the pretended workspace remembers. Records are never changed, only replaced. */

export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly botId?: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The root this message answers. A root itself has none. */
  readonly threadTs?: string;
  readonly metadata?: ApiObject;
  readonly editedTs?: string;
  /** The root of a thread in which nothing more can be written. */
  readonly isLocked?: boolean;
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly files: readonly StoredFile[];
  readonly stream?: Stream;
  /** What it showed before each change, oldest first. */
  readonly earlier: readonly { readonly text: string; readonly blocks: readonly Block[] }[];
}

/** An answer that is being written, or was. */
export interface Stream {
  readonly open: boolean;
  readonly startedAtMs: number;
  readonly markdown: string;
  readonly title?: string;
  readonly tasks: readonly Task[];
  readonly blocks: readonly Block[];
}

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: 'pending' | 'in_progress' | 'complete' | 'error';
  readonly details?: string;
  readonly output?: string;
}

/** Seen by one person only, and gone when that person reloads. */
export interface Ephemeral {
  readonly id: string;
  readonly channel: string;
  readonly ts: string;
  readonly to: string;
  readonly from: string;
  readonly threadTs?: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface View {
  readonly id: string;
  readonly user: string;
  readonly hash: string;
  readonly rootId: string;
  readonly previousId?: string;
  readonly content: ViewContent;
  /** What is filled in: block, action, then value as Slack sends it. */
  readonly values: StateValues;
  /** By block, as `response_action: errors` gave them. */
  readonly errors: { readonly [blockId: string]: string };
}

export type StateValues = { readonly [blockId: string]: { readonly [actionId: string]: ApiObject } };

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** As text, for the page; `bytes` is what it really is. */
  readonly content: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly url: string;
  /** A picture in a smaller size. */
  readonly smaller?: { readonly bytes: Uint8Array; readonly url: string };
  /** Slack only links to it. */
  readonly isExternal: boolean;
  /** An event says only that there is one, as in a shared channel. */
  readonly stub?: true;
}

export interface SessionState {
  readonly status?: 'processing' | 'suspended' | 'active' | 'closed';
  readonly title?: string;
  /** The line under the composer, like "is thinking…". */
  readonly line?: string;
}

/** What a person has open beside the app. */
export type Beside =
  | { readonly type: 'channel' | 'canvas' | 'list'; readonly id: string }
  | { readonly type: 'message'; readonly channel: string; readonly ts: string };

/** One call of the Web API, as it arrived and as it was answered. */
export interface ApiRequest {
  readonly method: string;
  readonly arguments: ApiObject;
  readonly token: string | undefined;
  readonly atMs: number;
  answer: ApiJson | undefined;
}

/** A thread is named by its channel and the ts of its root. */
export interface ThreadName {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
}

export function rootTs(thread: ThreadName): string {
  return thread.threadTs ?? thread.ts;
}
