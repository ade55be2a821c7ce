import { type ApprovalId, Reminder, type UserId } from '../../records/index.ts';
import type { Effect } from '../../store/index.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { CallReminded } from '../facts/reminders.ts';
import type { AskedApproval } from '../fold/asked.ts';
import { namedNow, peopleOf, placeOf, stagesOf } from '../fold/queries/quorum.ts';
import { isTold, stageOf, timeOf } from '../fold/queries/reminders.ts';
import type { RunState } from '../fold/state.ts';

/** Everybody who may have been told this by themselves, by whoever tried it. An escalation is told in the thread. */
export function toldPerhaps(
  { rule, yeses }: Pick<AskedApproval, 'rule' | 'yeses'>,
  requester: UserId,
  { what, stage = 0 }: Pick<CallReminded, 'what' | 'stage'>,
): readonly UserId[] {
  if (what === 'escalation') return [];
  if (what === 'notice') return peopleOf(rule, requester, stage);
  const upToNow = Array.from({ length: placeOf(rule, yeses).stage + 1 }, (_, one) => peopleOf(rule, requester, one));
  return [...new Set(upToNow.flat())];
}

/** Its times begin with the question and end with it, whichever way. */
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
      // Meanwhile it may be the turn of the next ones, who are told at a time of their own.
      const isPast = entry.what === 'notice' && approval !== undefined && stageOf(approval) !== (entry.stage ?? 0);
      return isPast ? [] : notDue(entry.what, approval);
    }
    default:
      return [];
  }
}

/** Whoever is named in it and does not see the card is told that it is their turn. */
function stageBegins(
  approval: AskedApproval | undefined,
  requester: UserId,
  by: 'yes-counted' | 'yes-dropped',
): readonly Effect[] {
  if (approval?.standing.status !== 'pending' || isTold(approval, 'notice', stageOf(approval))) return [];
  const { id, rule, yeses } = approval;
  // A yes in the middle of a stage begins nothing; without one that counted, it may be an earlier stage's turn again.
  if (by === 'yes-counted' && placeOf(rule, yeses).given > 0) return [];
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
