import type { CardReceipt, UserId } from '../../records/index.ts';
import type { Opinion } from '../facts/feedback.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

export interface FeedbackFacts {
  readonly turn: number;
  readonly by: UserId;
  readonly opinion: Opinion;
  /** The message whose button was pressed. */
  readonly card: CardReceipt;
  /** The limit for all people and answers of a run, so that presses cannot fill its journal. */
  readonly most: number;
}

export type FeedbackResult = 'kept' | 'kept-before' | 'unknown' | 'full';

export function decideFeedback(state: RunState, facts: FeedbackFacts): Decided<FeedbackResult> {
  const { turn, by, opinion, card, most } = facts;
  const about = `turn/${turn}`;
  const told = state.posted.get(about);
  // The buttons may stand below a later part of the answer, so only the channel is compared.
  if (told === undefined || told.channel !== card.channel) return { entries: [], result: 'unknown' };
  if (state.feedback.get(`${about} ${by}`) === opinion) return { entries: [], result: 'kept-before' };
  if (state.feedbackGiven >= most) return { entries: [], result: 'full' };
  return { entries: [{ type: 'feedback-given', about, by, opinion }], result: 'kept' };
}
