import { decideFeedback, type FeedbackResult, type Opinion, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { CardReceipt, RunId, UserId } from '../records/index.ts';

export interface GivenOpinion {
  readonly run: RunId;
  readonly turn: number;
  readonly opinion: Opinion;
  readonly by: UserId;
  readonly card: CardReceipt;
}

interface FeedbackDeps {
  readonly journalOf: (run: RunId) => RunJournal;
  readonly log: Log;
}

/** Keeps what a person thinks of an answer, in the journal of its run. */
export type GiveFeedback = (opinion: GivenOpinion) => Promise<FeedbackResult | 'failed'>;

export function createGiveFeedback({ journalOf, log }: FeedbackDeps): GiveFeedback {
  return async ({ run, ...given }) => {
    const decide = (state: RunState) => decideFeedback(state, { ...given, most: LIMITS.feedbackKept });
    // The store may be out of reach. The presser is told that nothing was kept.
    const committed = await orLog(log.error, 'A person’s opinion of an answer could not be kept.', { run }, () =>
      journalOf(run).decide(decide, 'unknown'),
    );
    return committed === undefined || committed === 'late' ? 'failed' : committed;
  };
}
