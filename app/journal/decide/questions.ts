import type { ApprovalId, CardReceipt, Person, QuestionEntryOf, QuestionKind } from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import { questionEntry } from '../facts/questions.ts';
import type { AskedQuestion } from '../fold/asked.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import { pendingQuestions } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

/** Decisions that are the same for every kind of question. */

/** The question as its `asked` entry has it. */
export type QuestionAsk<K extends QuestionKind> = Omit<QuestionEntryOf<K, 'asked'>, 'type' | 'expiresAtMs' | K> & {
  readonly call: string;
};

/** Only a running call can ask, so that its process withdraws the question in the end. At most `most` questions are open. */
export function decideQuestion<K extends QuestionKind>(
  state: RunState,
  { kind, id }: { readonly kind: K; readonly id: ApprovalId },
  ask: QuestionAsk<K>,
  { expiresAtMs, most }: { readonly expiresAtMs: number; readonly most: number },
): Decided<'asked' | 'too-many' | 'over'> {
  const running = state.status.type === 'running' && state.calls.get(ask.call)?.execution.type === 'started';
  if (!running) return nothing('over');
  const open = pendingQuestions(state).filter((one) => one.kind === kind && one.call === ask.call).length;
  if (open >= most) return nothing('too-many');
  return { entries: [questionEntry({ kind, id }, 'asked', { ...ask, expiresAtMs })], result: 'asked' };
}

/** A person's answer, as the `settled` entry has it. */
export type QuestionAnswer<K extends QuestionKind> = Omit<QuestionEntryOf<K, 'settled'>, 'type' | 'how' | 'by' | K> & {
  readonly how: QuestionEntryOf<K, 'settled'> extends { readonly how: infer How }
    ? Exclude<How, 'finished' | 'expired' | 'withdrawn'>
    : never;
};

export interface AnswerFacts<K extends QuestionKind> {
  readonly kind: K;
  readonly id: ApprovalId;
  readonly by: Person;
  readonly answer: QuestionAnswer<K>;
}

/** Only the requester answers, because the question is about the requester's own call. The first answer stands. */
export function decideAnswer<K extends QuestionKind>(
  state: RunState,
  { kind, id, by, answer }: AnswerFacts<K>,
): Decided<'recorded' | 'settled' | 'not-yours' | 'unknown'> {
  const question = state.questions.get(id);
  if (question?.kind !== kind) return nothing('unknown');
  if (question.standing.status !== 'pending') return nothing('settled');
  if (!mayAnswer(state, by)) return nothing('not-yours');
  return {
    entries: [questionEntry({ kind, id }, 'settled', { ...answer, by: by.user })],
    result: 'recorded',
    notAfterMs: question.expiresAtMs,
  };
}

export function mayAnswer({ requester, thread }: Pick<RunState, 'requester' | 'thread'>, by: Person): boolean {
  return by.user === requester && by.team === thread.team;
}

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

/** Withdraws a question that no person can see, or whose answer is no longer needed. */
export function decideWithdrawal(state: RunState, id: ApprovalId): Decided<'withdrawn' | 'settled'> {
  const question = state.questions.get(id);
  if (question?.standing.status !== 'pending') return nothing('settled');
  return { entries: unanswered(state, question, 'withdrawn'), result: 'withdrawn' };
}

/** For a doubt, the model is told what is known of the call: the caller adds that to the same append, as the next item. */
function unanswered(state: RunState, question: AskedQuestion, how: 'expired' | 'withdrawn'): readonly EntryBody[] {
  const { kind, call } = question;
  return kind === 'doubt'
    ? [questionEntry(question, 'settled', { how }), { type: 'call-answered', call, item: state.items }]
    : [questionEntry(question, 'settled', { how })];
}

/** The entries that withdraw all pending questions for which `isOver` holds. */
export function withdrawals(state: RunState, isOver: (question: AskedQuestion) => boolean): readonly EntryBody[] {
  return pendingQuestions(state)
    .filter(isOver)
    .map((question) => questionEntry(question, 'settled', { how: 'withdrawn' }));
}

/**
 * Returns the pending questions to show again: those that this card showed, and those that lost it earlier and have no new
 * card yet. A decided question is written as lost only if it shared the card with a pending one.
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
