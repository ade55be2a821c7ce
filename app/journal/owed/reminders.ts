import { z } from 'zod';
import { ApprovalId, Copy, UserId } from '../../records/index.ts';
import type { Effect } from '../../store/index.ts';
import { type Decided, nothing } from '../decide/decide.ts';
import type { EntryBody } from '../facts/entries.ts';
import { namedNow, peopleOf, placeOf, stagesOf } from '../facts/quorum.ts';
import type { AskedApproval, RunState } from '../fold/state.ts';
import { newTo } from './copies.ts';

/**
 * What people are told while a question waits, once each: at first those who do not see its card, and those of each later
 * stage when it is their turn; then all who can decide, and later those it is escalated to.
 */
export const Reminder = z.enum(['notice', 'reminder', 'escalation']);
export type Reminder = z.infer<typeof Reminder>;

/** Part of `call-asked`; older entries have none of it, and nobody is reminded of them. */
export const REMINDER_TIMES = {
  noticeAtMs: z.number().int().optional(),
  remindAtMs: z.number().int().optional(),
  escalation: z
    .object({ atMs: z.number().int(), to: z.array(UserId).readonly() })
    .readonly()
    .optional(),
};

export const REMINDER_ENTRIES = [
  /** They have been told. */
  z.object({
    type: z.literal('call-reminded'),
    approval: ApprovalId,
    what: Reminder,
    /** Those of this stage, counted from 0; absent, of the first, or of any. */
    stage: z.number().int().positive().optional(),
    /** Where they read it, those who were told by themselves. */
    copies: z.array(Copy).readonly().optional(),
    /** What they read there; absent where somebody may have told them before. */
    revision: z.number().int().optional(),
  }),
] as const;
export type CallReminded = z.infer<(typeof REMINDER_ENTRIES)[number]>;

/** What has to be told now, if anything has. A question that is settled needs no reminder. */
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

/** It was told, whatever has happened meanwhile: what people read by themselves has to follow the record. */
export function decideTold(state: RunState, told: CallReminded): Decided<'told' | 'over'> {
  const approval = state.approvals.get(told.approval);
  if (approval === undefined) return nothing('over');
  const isKnown = approval.standing.status !== 'pending' || isTold(approval, told.what, told.stage ?? 0);
  if (isKnown && newTo(approval.copies, told.copies ?? []).length === 0) return nothing('over');
  return { entries: [told], result: isKnown ? 'over' : 'told' };
}

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

/**
 * What may just be told, or was and is not written: its time had come. By this entry nobody will be told it any more, so
 * it has to be looked for.
 */
export function perhapsTold(
  before: AskedApproval,
  atMs: number,
  whats: readonly Reminder[],
): Pick<AskedApproval, 'perhapsTold'> {
  const due = whats.flatMap((what) => {
    const stage = what === 'notice' ? stageOf(before) : 0;
    const dueMs = timeOf(before, what);
    return dueMs === undefined || dueMs > atMs || isTold(before, what, stage) ? [] : [{ what, stage }];
  });
  return { perhapsTold: [...before.perhapsTold, ...due] };
}

const isTold = ({ reminded }: AskedApproval, what: Reminder, stage: number): boolean =>
  reminded.some((one) => one.what === what && one.stage === stage);

const stageOf = ({ rule, yeses }: AskedApproval): number => placeOf(rule, yeses).stage;

/** A later stage begins with the yes that ended the one before it. */
function timeOf({ noticeAtMs, remindAtMs, escalation, rule, yeses }: Times, what: Reminder): number | undefined {
  switch (what) {
    case 'notice': {
      const { stage, given } = placeOf(rule, yeses);
      return stage === 0 ? noticeAtMs : yeses[yeses.length - given - 1]?.atMs;
    }
    case 'reminder':
      return remindAtMs;
    case 'escalation':
      return escalation?.atMs;
  }
}

type Times = Pick<AskedApproval, keyof typeof REMINDER_TIMES | 'rule' | 'yeses'>;

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
