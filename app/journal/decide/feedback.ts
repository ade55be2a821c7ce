import type { CardReceipt, UserId } from '../../records/index.ts';
import type { Opinion } from '../facts/feedback.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export interface FeedbackFacts {
  readonly turn: number;
  readonly by: UserId;
  readonly opinion: Opinion;
  /** Where it was pressed. */
  readonly card: CardReceipt;
  /** Of all people and answers of a run, so that a journal cannot be filled by pressing. */
  readonly most: number;
}

export type FeedbackResult = 'kept' | 'kept-before' | 'unknown' | 'full';

export function decideFeedback(state: RunState, facts: FeedbackFacts): Decided<FeedbackResult> {
  const { turn, by, opinion, card, most } = facts;
  const about = `turn/${turn}`;
  const told = state.posted.get(about);
  // The buttons stand below the last part of the answer; a copy in another channel is not about it.
  if (told === undefined || told.channel !== card.channel) return { entries: [], result: 'unknown' };
  if (state.feedback.get(`${about} ${by}`) === opinion) return { entries: [], result: 'kept-before' };
  if (state.feedbackGiven >= most) return { entries: [], result: 'full' };
  return { entries: [{ type: 'feedback-given', about, by, opinion }], result: 'kept' };
}
