import type { ApprovalId, CardReceipt } from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import { endedEntry } from '../facts/questions.ts';
import type { AskedQuestion } from '../fold/asked.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import { pendingQuestions } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

/** What is decided about a question without a person, whatever its kind. */

export function decideQuestionExpiry(
  state: RunState,
  id: ApprovalId,
  nowMs: number,
): Decided<'expired' | 'not-yet' | 'settled'> {
  const question = state.questions.get(id);
  if (question?.standing.status !== 'pending') return nothing('settled');
  if (nowMs < question.expiresAtMs) return nothing('not-yet');
  return { entries: unanswered(state, question, 'expired'), result: 'expired' };
}

/** A question that no person can see, or whose answer nothing can use, is taken back. */
export function decideWithdrawal(state: RunState, id: ApprovalId): Decided<'withdrawn' | 'settled'> {
  const question = state.questions.get(id);
  if (question?.standing.status !== 'pending') return nothing('settled');
  return { entries: unanswered(state, question, 'withdrawn'), result: 'withdrawn' };
}

/** Of a lost call the model is told what is known: the caller adds that to the same append, as the next item. */
function unanswered(state: RunState, question: AskedQuestion, how: 'expired' | 'withdrawn'): readonly EntryBody[] {
  const { kind, call } = question;
  return kind === 'doubt'
    ? [endedEntry(question, how), { type: 'call-answered', call, item: state.items }]
    : [endedEntry(question, how)];
}

/** What must be written when nothing needs the answers of these any more. */
export function withdrawals(state: RunState, isOver: (question: AskedQuestion) => boolean): readonly EntryBody[] {
  return pendingQuestions(state)
    .filter(isOver)
    .map((question) => endedEntry(question, 'withdrawn'));
}

/**
 * Answers with the questions that wait and are to be shown again: those that stood there, and those that were lost there
 * before and whose next card nobody has posted yet. What is decided needs a card only where it shares one with them.
 */
export function decideCardLost(state: RunState, card: CardReceipt): Decided<readonly ApprovalId[]> {
  if (state.status.type !== 'running') return { entries: [], result: [] };
  const all = [...state.approvals.values(), ...state.questions.values()];
  const there = all.filter((question) => isSame(question.card, card));
  const waits = all.filter(({ standing }) => standing.status === 'pending');
  const lost = there.some((question) => waits.includes(question)) ? there : [];
  return {
    entries: lost.map(({ id }) => ({ type: 'card-lost', approval: id, card })),
    result: waits
      .filter((one) => lost.includes(one) || (one.card === undefined && stoodAt(one, card)))
      .map(({ id }) => id),
  };
}
