import type { Reminder } from '../../../records/index.ts';
import type { AskedApproval } from '../asked.ts';
import { placeOf } from './quorum.ts';

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

export const isTold = ({ reminded }: AskedApproval, what: Reminder, stage: number): boolean =>
  reminded.some((one) => one.what === what && one.stage === stage);

export const stageOf = ({ rule, yeses }: AskedApproval): number => placeOf(rule, yeses).stage;

/** A later stage begins with the yes that ended the one before it. */
export function timeOf({ remindersAtMs, rule, yeses }: AskedApproval, what: Reminder): number | undefined {
  const { stage, given } = placeOf(rule, yeses);
  return what === 'notice' && stage > 0 ? yeses[yeses.length - given - 1]?.atMs : remindersAtMs[what];
}
