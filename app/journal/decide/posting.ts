import type { PostBegun, RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

export interface PostWish {
  /** Names what is owed. */
  readonly key: string;
  /** The process that would post it. */
  readonly by: string;
  /** How long a post that somebody else has begun is left alone. 0 where no other process can exist. */
  readonly patienceMs: number;
  readonly isPosted: (state: RunState) => boolean;
  /** However long the store takes to write it. */
  readonly unhurried?: boolean;
}

export type PostClaim =
  /** Nobody has tried it yet. */
  | 'first'
  /** Somebody has, and nobody knows whether it arrived. */
  | 'unsure'
  /** Another process has it in hand. */
  | 'theirs'
  | 'posted';

export function decidePost(state: RunState, wish: PostWish, nowMs: number): Decided<PostClaim> {
  const { key, by, patienceMs, isPosted } = wish;
  if (isPosted(state)) return nothing('posted');
  const begun = state.posting.get(key);
  // By the store's clock: whoever stood still, or hears late, may take a time long past for now.
  const fresh = patienceMs === 0 || wish.unhurried === true ? {} : { notAfterMs: nowMs + patienceMs / 2 };
  const mine = { entries: [{ type: 'post-begun', key, by }], ...fresh } as const;
  if (begun?.by === by) return isOld(begun, wish, nowMs) ? { ...mine, result: 'unsure' } : nothing('unsure');
  if (begun !== undefined && nowMs - begun.sinceMs < patienceMs) return nothing('theirs');
  return { ...mine, result: begun === undefined ? 'first' : 'unsure' };
}

/** Whether others may soon take it over, or have: whoever sends now would do it behind their backs. */
export function isOld(begun: PostBegun, { patienceMs }: Pick<PostWish, 'patienceMs'>, nowMs: number): boolean {
  return patienceMs > 0 && nowMs - begun.sinceMs >= patienceMs / 2;
}
