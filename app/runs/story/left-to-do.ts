import {
  goesOn,
  owedCopies,
  owedLines,
  owedPaintings,
  owedQuestions,
  pendingApprovals,
  pendingQuestions,
  type RunState,
} from '../../journal/index.ts';
import { owedPosts } from '../telling/posts.ts';
import { isAfter } from './new-messages.ts';

/** Whether every unanswered call has an open question and nothing else is left to do. */
export function waitsForPeople(state: RunState): boolean {
  return state.status.type === 'running' && !goesOn(state) && isPaid(state);
}

/** Whether a question is open, whatever else the run does. */
export function asksPeople(state: RunState): boolean {
  return pendingApprovals(state).length + pendingQuestions(state).length > 0;
}

const isPaid = (state: RunState): boolean =>
  (state.writing === undefined || state.unheard !== false) &&
  [owedPosts, owedLines, owedPaintings, owedCopies, owedQuestions].every((owed) => owed(state).length === 0);

/** Whether the run is over, and its thread and its cards know. */
export function isOverAndPaid(state: RunState): boolean {
  return state.status.type !== 'running' && isPaid(state);
}

/** The same, and its workspace knows as well: nothing is left to do for it. */
export function isSettled(state: RunState): boolean {
  return state.sealed !== false && isOverAndPaid(state);
}

/** Compares the times that Slack gave to both messages. A run that began without such a message never counts as later. */
export function beganAfter({ heard }: RunState, ts: string | undefined): boolean {
  const [first = ''] = heard;
  return isAfter(first, ts);
}
