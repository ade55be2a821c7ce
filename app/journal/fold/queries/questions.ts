import type { ApprovalId, QuestionKind } from '../../../records/index.ts';
import type { AskedDoubt, AskedQuestion, AskedQuestions } from '../asked.ts';
import type { RunState } from '../state.ts';

export function questionOf<K extends QuestionKind>(
  { questions }: RunState,
  kind: K,
  id: ApprovalId,
): AskedQuestions[K] | undefined {
  const question = questions.get(id);
  return question !== undefined && isOfKind(question, kind) ? question : undefined;
}

function isOfKind<K extends QuestionKind>(
  question: AskedQuestion,
  kind: K,
): question is AskedQuestion & AskedQuestions[K] {
  return question.kind === kind;
}

export function doubtOf(state: RunState, id: ApprovalId | undefined): AskedDoubt | undefined {
  return id === undefined ? undefined : questionOf(state, 'doubt', id);
}

/** True when a person has chosen what became of this call. A later result must not contradict that. */
export function isChosen(state: RunState, call: string): boolean {
  const standing = doubtOf(state, state.calls.get(call)?.doubt)?.standing;
  return standing !== undefined && 'by' in standing;
}

export function settledQuestion({ questions }: RunState, id: ApprovalId): AskedQuestion | undefined {
  const question = questions.get(id);
  return question?.standing.status === 'pending' ? undefined : question;
}

export function pendingQuestions({ questions }: RunState): readonly AskedQuestion[] {
  return [...questions.values()].filter(({ standing }) => standing.status === 'pending');
}
