import type { Precondition, TextRef } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import type { RunState } from '../state.ts';

export function approvalOf(state: RunState, call: string): AskedApproval | undefined {
  const id = state.calls.get(call)?.approval;
  return id === undefined ? undefined : state.approvals.get(id);
}

/** The digest that an approval lets run: of the input that was asked for, or of the person's edit. */
export function approvedDigest({ digest, standing }: AskedApproval): string {
  return (standing.status === 'decided' ? standing.decision.edit?.digest : undefined) ?? digest;
}

/** Why an approval or a cancelled question is void and has to be asked again, if it is. */
export function outdatedBy({ standing }: AskedApproval): 'world' | 'rules' | undefined {
  return 'outdated' in standing ? standing.outdated : undefined;
}

/** The facts that must still hold at the start: as of the question, or as of the person's edit. */
export function approvedPrecondition({ precondition, standing }: AskedApproval): Precondition | undefined {
  const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
  return edit === undefined ? precondition : edit.precondition;
}

/** The input that an approval lets run, with its secrets hidden. */
export function approvedAsShown({ shown, standing }: AskedApproval): TextRef {
  const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
  return edit === undefined ? shown : (edit.shown ?? edit.input);
}

export function pendingApprovals(state: RunState): readonly AskedApproval[] {
  return [...state.approvals.values()].filter((approval) => approval.standing.status === 'pending');
}
