import { type ApprovalId, Reminder, type UserId } from '../../records/index.ts';
import type { Effect } from '../../store/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { CallReminded } from '../facts/reminders.ts';
import type { AskedApproval } from '../fold/asked.ts';
import { namedNow, peopleOf, quorumProgress, stagesOf } from '../fold/queries/quorum.ts';
import { isTold, stageOf, timeOf } from '../fold/queries/reminders.ts';
import type { RunState } from '../fold/state.ts';

/** All people who may have got this reminder as a direct message from any process. An escalation is posted in the thread. */
export function toldPerhaps(
  { rule, yeses }: Pick<AskedApproval, 'rule' | 'yeses'>,
  requester: UserId,
  { what, stage = 0 }: Pick<CallReminded, 'what' | 'stage'>,
): readonly UserId[] {
  if (what === 'escalation') return [];
  if (what === 'notice') return peopleOf(rule, requester, stage);
  const upToNow = Array.from({ length: quorumProgress(rule, yeses).stage + 1 }, (_, one) =>
    peopleOf(rule, requester, one),
  );
  return [...new Set(upToNow.flat())];
}

/** Reminders become due with the question, and stop being due with its end. */
export function reminderEffects({ approvals, requester }: RunState, entry: EntryBody): readonly Effect[] {
  switch (entry.type) {
    case 'call-asked':
      return Reminder.options.flatMap((what) => {
        const approval = approvals.get(entry.approval);
        const atMs = approval === undefined ? undefined : timeOf(approval, what);
        return atMs === undefined ? [] : [dueAt(what, entry.approval, atMs)];
      });
    case 'yes-counted':
    case 'yes-dropped':
      return stageBegins(approvals.get(entry.approval), requester, entry.type);
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
      return Reminder.options.flatMap((what) => notDue(what, approvals.get(entry.approval)));
    case 'call-reminded': {
      const approval = approvals.get(entry.approval);
      // The notice may be of an earlier stage. Then the due time belongs to the present stage, and stays.
      const isPast = entry.what === 'notice' && approval !== undefined && stageOf(approval) !== (entry.stage ?? 0);
      return isPast ? [] : notDue(entry.what, approval);
    }
    default:
      return [];
  }
}

/** When a stage begins, a notice becomes due: its named approvers may not see the card. */
function stageBegins(
  approval: AskedApproval | undefined,
  requester: UserId,
  by: 'yes-counted' | 'yes-dropped',
): readonly Effect[] {
  if (approval?.standing.status !== 'pending' || isTold(approval, 'notice', stageOf(approval))) return [];
  const { id, rule, yeses } = approval;
  // An approval in the middle of a stage begins no stage. A dropped approval may bring an earlier stage back.
  if (by === 'yes-counted' && quorumProgress(rule, yeses).given > 0) return [];
  const atMs = timeOf(approval, 'notice');
  return atMs === undefined || namedNow(rule, requester, yeses).length === 0 ? [] : [dueAt('notice', id, atMs)];
}

function notDue(what: Reminder, approval: AskedApproval | undefined): readonly Effect[] {
  if (approval === undefined) return [];
  const isDue = timeOf(approval, what) !== undefined || (what === 'notice' && stagesOf(approval.rule).length > 1);
  return isDue ? [{ type: 'not-due', item: { what, subject: approval.id } }] : [];
}

const dueAt = (what: Reminder, subject: ApprovalId, atMs: number): Effect => ({
  type: 'due',
  item: { what, subject },
  atMs,
});
