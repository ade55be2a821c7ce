import type { ApprovalId } from '../../../records/index.ts';
import type { AskedDoubt, AskedQuestion } from '../asked.ts';
import type { RunState } from '../state.ts';

export function doubtOf({ questions }: RunState, id: ApprovalId | undefined): AskedDoubt | undefined {
  const question = id === undefined ? undefined : questions.get(id);
  return question?.kind === 'doubt' ? question : undefined;
}

/** A person has said what became of this call, so nothing that comes later may say otherwise. */
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
