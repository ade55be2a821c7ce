import type { Grant, GrantId, Thread, UserId } from './records.ts';

/** Standing yeses: given, listed, used and taken away. Each is a journal of its own. */
export interface Trust {
  /** Grants that count now for calls in this place: of the thread if one is named, of the channel, of the person. */
  readonly list: (place: TrustPlace) => Promise<readonly Grant[]>;
  readonly give: (wish: TrustWish) => Promise<GiveResult>;
  readonly revoke: (grant: GrantId, by: UserId) => Promise<'revoked' | 'already' | 'unknown'>;
}

export interface TrustPlace {
  readonly team: string;
  readonly channel: string;
  readonly threadTs?: string;
  readonly user: UserId;
}

/** Asked for in words, without a card: for later calls, never for one that is pending. */
export interface TrustWish {
  readonly tool: string;
  readonly scope: 'thread' | 'channel' | 'requester';
  /** With scope `thread`, the thread; otherwise its `ts` is that of the place it was said in. */
  readonly thread: Thread;
  readonly forMs: number;
  readonly by: UserId;
}

export type GiveResult =
  | { readonly type: 'given'; readonly grant: Grant }
  /** A sentence for the person: unknown tool, open already, guarded, or not theirs to trust. */
  | { readonly type: 'refused'; readonly why: string };
