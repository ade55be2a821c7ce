import type { Reminder } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import { quorumProgress } from './quorum.ts';

/**
 * Reminders that were due before this entry and are not recorded: a process may be sending them, or may have died after it.
 * This entry ends them, so their copies have to be searched.
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

export const isTold = ({ reminded }: AskedApproval, what: Reminder, stage: number): boolean =>
  reminded.some((one) => one.what === what && one.stage === stage);

export const stageOf = ({ rule, yeses }: AskedApproval): number => quorumProgress(rule, yeses).stage;

/** The notice of a later stage is due with the approval that completed the stage before. */
export function timeOf({ remindersAtMs, rule, yeses }: AskedApproval, what: Reminder): number | undefined {
  const { stage, given } = quorumProgress(rule, yeses);
  return what === 'notice' && stage > 0 ? yeses[yeses.length - given - 1]?.atMs : remindersAtMs[what];
}
