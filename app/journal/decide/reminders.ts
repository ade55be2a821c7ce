import type { ApprovalId, Reminder } from '../../records/index.ts';
import type { CallReminded } from '../facts/reminders.ts';
import { newTo } from '../fold/queries/copies.ts';
import { isTold, stageOf, timeOf } from '../fold/queries/reminders.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

/** The reminder that is due now, if any. A settled question needs none. */
export function decideReminder(
  state: RunState,
  { approval: id, what }: { readonly approval: ApprovalId; readonly what: Reminder },
  nowMs: number,
): 'not-yet' | 'over' | CallReminded {
  const approval = state.approvals.get(id);
  if (approval?.standing.status !== 'pending') return 'over';
  const stage = what === 'notice' ? stageOf(approval) : 0;
  const atMs = timeOf(approval, what);
  if (atMs === undefined || isTold(approval, what, stage)) return 'over';
  if (nowMs < atMs) return 'not-yet';
  return { type: 'call-reminded', approval: id, what, ...(stage === 0 ? {} : { stage }) };
}

/** Records what people were told, even if the question has ended meanwhile: the new copies have to be repainted. */
export function decideTold(state: RunState, told: CallReminded): Decided<'told' | 'over'> {
  const approval = state.approvals.get(told.approval);
  if (approval === undefined) return nothing('over');
  const isKnown = approval.standing.status !== 'pending' || isTold(approval, told.what, told.stage ?? 0);
  if (isKnown && newTo(approval.copies, told.copies ?? []).length === 0) return nothing('over');
  return { entries: [told], result: isKnown ? 'over' : 'told' };
}
