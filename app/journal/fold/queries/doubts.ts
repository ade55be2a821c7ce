import type { ApprovalId } from '../../../records/index.ts';
import type { AskedDoubt } from '../asked.ts';
import type { RunState } from '../state.ts';

/** A person has said what became of this call, so nothing that comes later may say otherwise. */
export function isChosen(state: RunState, call: string): boolean {
  const id = state.calls.get(call)?.doubt;
  const standing = id === undefined ? undefined : state.doubts.get(id)?.standing;
  return standing !== undefined && 'by' in standing;
}

export function settledDoubt(state: RunState, id: ApprovalId): AskedDoubt | undefined {
  const doubt = state.doubts.get(id);
  return doubt?.standing.status === 'pending' ? undefined : doubt;
}

export function pendingDoubts(state: RunState): readonly AskedDoubt[] {
  return [...state.doubts.values()].filter(({ standing }) => standing.status === 'pending');
}
