import { LIMITS } from '../../limits.ts';
import type { PostBegun, RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

export interface PostWish {
  /** Names the owed post. */
  readonly key: string;
  /** The process that would post it. */
  readonly by: string;
  readonly isPosted: (state: RunState) => boolean;
  /** Set after many tries: then the intent is written however long the store takes. */
  readonly unhurried?: boolean;
}

export type PostClaim =
  /** No process has tried it yet. */
  | 'first'
  /** A process has tried it, and may or may not have posted it. */
  | 'unsure'
  /** Another process is posting it. */
  | 'theirs'
  | 'posted';

export function decidePost(state: RunState, wish: PostWish, nowMs: number): Decided<PostClaim> {
  const { key, by, isPosted } = wish;
  if (isPosted(state)) return nothing('posted');
  const begun = state.posting.get(key);
  const claim = intent(wish, nowMs);
  if (begun?.by === by) return isOld(begun, nowMs) ? { ...claim, result: 'unsure' } : nothing('unsure');
  if (begun !== undefined && nowMs - begun.sinceMs < LIMITS.postPatienceMs) return nothing('theirs');
  return { ...claim, result: begun === undefined ? 'first' : 'unsure' };
}

/** Adds the intent to post what is decided here, so that one append has both. The post must be one that no process has tried. */
export function withIntent<Fresh extends Decided<unknown>>(
  decided: Fresh,
  wish: Pick<PostWish, 'key' | 'by'>,
  nowMs: number,
): Fresh {
  const { entries, ...fresh } = intent(wish, nowMs);
  return { ...decided, entries: [...decided.entries, ...entries], ...fresh };
}

function intent(
  { key, by, unhurried = false }: Omit<PostWish, 'isPosted'>,
  nowMs: number,
): Omit<Decided<never>, 'result'> {
  // Checked by the store's clock: this process may have been paused, and its idea of now may be long past.
  const fresh = unhurried ? {} : { notAfterMs: nowMs + LIMITS.postPatienceMs / 2 };
  return { entries: [{ type: 'post-begun', key, by }], ...fresh };
}

/** True when another process may soon take the post over, or already has. Then this process must not send it. */
export function isOld(begun: PostBegun, nowMs: number): boolean {
  return nowMs - begun.sinceMs >= LIMITS.postPatienceMs / 2;
}
