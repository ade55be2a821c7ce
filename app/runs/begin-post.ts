import { decidePost, type PostWish } from '../journal/posting.ts';
import type { RunState } from '../journal/state.ts';
import type { RunJournal } from '../run-journal.ts';
import type { AtStep, Step } from '../step.ts';
import { TakenOverError } from './taken-over.ts';

export interface PostingDeps {
  readonly posting: Pick<PostWish, 'by' | 'patienceMs'>;
  readonly step: AtStep;
}

export interface ToPost {
  readonly key: string;
  readonly isPosted: (state: RunState) => boolean;
  /** Reached when it is written that this process posts. */
  readonly begun: Step;
}

/**
 * Takes a post in hand: intent before post. `maybePosted` when somebody had it in hand before, so that the thread is
 * searched first. Throws when another process has it: whoever is late lets go of the run, and comes again if it must.
 */
export async function beginPost(
  { posting, step }: PostingDeps,
  journal: RunJournal,
  { key, isPosted, begun }: ToPost,
): Promise<{ readonly maybePosted: boolean } | 'posted'> {
  const committed = await journal.commit((state, nowMs) =>
    state === undefined
      ? { entries: [], result: 'theirs' as const }
      : decidePost(state, { ...posting, key, isPosted }, nowMs),
  );
  const turn = committed.type === 'late' ? 'theirs' : committed.result;
  if (turn === 'posted') return turn;
  if (turn === 'theirs') throw new TakenOverError(`it is posting ${key}`);
  await step(begun);
  return { maybePosted: turn === 'doubtful' };
}
