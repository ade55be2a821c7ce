import type { ApprovalId } from '../../../records/index.ts';
import type { AskedInquiry } from '../asked.ts';
import type { RunState } from '../state.ts';

export function settledInquiry(state: RunState, id: ApprovalId): AskedInquiry | undefined {
  const inquiry = state.inquiries.get(id);
  return inquiry?.standing.status === 'pending' ? undefined : inquiry;
}

export function pendingInquiries(state: RunState): readonly AskedInquiry[] {
  return [...state.inquiries.values()].filter(({ standing }) => standing.status === 'pending');
}
