import type { Precondition, TextRef } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import type { RunState } from '../state.ts';

export function approvalOf(state: RunState, call: string): AskedApproval | undefined {
  const id = state.calls.get(call)?.approval;
  return id === undefined ? undefined : state.approvals.get(id);
}

/** What a yes is good for: what was asked, or what the person made of it. */
export function approvedDigest({ digest, standing }: AskedApproval): string {
  return (standing.status === 'decided' ? standing.decision.edit?.digest : undefined) ?? digest;
}

/** What a yes, or a question that was taken back, has to be asked again for. */
export function outdatedBy({ standing }: AskedApproval): 'world' | 'rules' | undefined {
  return 'outdated' in standing ? standing.outdated : undefined;
}

/** What the world has to be like still: as it was when people were asked, or when they changed the input. */
export function approvedPrecondition({ precondition, standing }: AskedApproval): Precondition | undefined {
  const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
  return edit === undefined ? precondition : edit.precondition;
}

/** The input that goes with it, as people see it. */
export function approvedAsShown({ shown, standing }: AskedApproval): TextRef {
  const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
  return edit === undefined ? shown : (edit.shown ?? edit.input);
}

export function pendingApprovals(state: RunState): readonly AskedApproval[] {
  return [...state.approvals.values()].filter((approval) => approval.standing.status === 'pending');
}
