import type { ApprovalId, UserId } from '../../records/index.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

export interface Refer {
  readonly approval: ApprovalId;
  readonly by: UserId;
  readonly to: UserId;
  readonly most: number;
}

/** Asks one more person by name. That person's right to decide is judged at the press, as for any presser. */
export function decideReferral(
  state: RunState,
  { approval: id, by, to, most }: Refer,
): Decided<'referred' | 'known' | 'too-many' | 'settled'> {
  const approval = state.approvals.get(id);
  if (approval?.standing.status !== 'pending') return nothing('settled');
  const { referred } = approval;
  if (referred.some((before) => before.to === to)) return nothing('known');
  if (referred.length >= most) return nothing('too-many');
  return { entries: [{ type: 'call-referred', approval: id, by, to }], result: 'referred' };
}
