import type { ApprovalId, CardReceipt, Person, QuestionEntryOf, QuestionKind } from '../../records/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import { questionEntry } from '../facts/questions.ts';
import type { AskedQuestion } from '../fold/asked.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import { pendingQuestions } from '../fold/queries/questions.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

/** What is decided about a question whatever its kind. */

/** What is asked, as its entry says it. */
export type QuestionAsk<K extends QuestionKind> = Omit<QuestionEntryOf<K, 'asked'>, 'type' | 'expiresAtMs' | K> & {
  readonly call: string;
};

/** Only a call that runs can ask, so that there is always somebody who takes the question away; and only so much at once. */
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

/** What a person answers, as the entry that settles the question says it. */
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

/** The question is the requester's own call's, so nobody else answers; and the first answer stands. */
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
    ? [questionEntry(question, 'settled', { how }), { type: 'call-answered', call, item: state.items }]
    : [questionEntry(question, 'settled', { how })];
}

/** What must be written when nothing needs the answers of these any more. */
export function withdrawals(state: RunState, isOver: (question: AskedQuestion) => boolean): readonly EntryBody[] {
  return pendingQuestions(state)
    .filter(isOver)
    .map((question) => questionEntry(question, 'settled', { how: 'withdrawn' }));
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
