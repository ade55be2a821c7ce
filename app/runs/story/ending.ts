import type { LoopOutcome } from '../../agent/index.ts';
import { ModelError, ModelOutputLimitError } from '../../agent/model/index.ts';
import { CapReachedError } from '../../authority/index.ts';
import { NewerJournalError } from '../../journal/index.ts';
import { SetBackError } from '../../recorder/index.ts';
import { StoreUnavailableError } from '../../store/index.ts';
import { MissingItemError } from '../telling/transcript.ts';
import { WORDS } from '../telling/words.ts';
import { TakenOverError } from './taken-over.ts';

/** How the agent of a run came to rest in this process. */
export type AgentOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'parked' }
  | { readonly type: 'cancelled' }
  /** A cap or a limit of the deployment, in words for the thread. */
  | { readonly type: 'capped'; readonly words: string }
  /** A newer version of the bot has written to the journal, and this one cannot read it. */
  | { readonly type: 'newer'; readonly error: NewerJournalError }
  /** `words` for the thread; `storeAway` when nothing could be written. */
  | { readonly type: 'failed'; readonly error: unknown; readonly words: string; readonly storeAway: boolean };

export function endingOf(outcome: LoopOutcome, turnsPerRun: number): AgentOutcome {
  switch (outcome.type) {
    case 'finished':
      return { type: 'finished' };
    case 'interrupted':
      throw new Error('The loop paused, but the bot asks inline. This is a fault of the bot: report it.');
    case 'stopped':
      return outcome.reason === 'parked' || outcome.reason === 'cancelled'
        ? { type: outcome.reason }
        : { type: 'capped', words: WORDS.limitTurns(turnsPerRun) };
  }
}

export async function endingAfter(error: unknown, canWrite: () => Promise<boolean>): Promise<AgentOutcome> {
  const reached = find(error, CapReachedError);
  if (reached !== undefined) return { type: 'capped', words: reached.message };
  const newer = find(error, NewerJournalError);
  if (newer !== undefined) return { type: 'newer', error: newer };
  const cause = find(error, SetBackError) ?? find(error, TakenOverError) ?? find(error, ModelError) ?? error;
  // A store that is full still answers reads.
  const storeAway = find(error, StoreUnavailableError) !== undefined || !(await canWrite());
  return { type: 'failed', error: cause, words: wordsFor(cause), storeAway };
}

/** Looks through the causes too: the caller may have wrapped the error on its way. */
function find<Found extends Error>(
  error: unknown,
  kind: abstract new (...args: never[]) => Found,
  depth = 5,
): Found | undefined {
  if (error instanceof kind) return error;
  return error instanceof Error && depth > 0 ? find(error.cause, kind, depth - 1) : undefined;
}

/** What the thread is told. A failure of the model has a sentence for people; anything else is a fault of the bot. */
function wordsFor(error: unknown): string {
  if (error instanceof MissingItemError) return WORDS.lostRecord;
  if (find(error, ModelOutputLimitError) !== undefined) return WORDS.limitOutput;
  return error instanceof ModelError ? WORDS.modelFailed(error.message) : WORDS.failed;
}
