import type { NewerJournalError } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { JournalName } from '../records/index.ts';
import { keepNewest } from '../time/index.ts';

/**
 * Leaves a run to a newer version of the bot, which alone can read it. Logs this once for each run, and answers in how many
 * milliseconds the run is to be offered again: soon at first, because another process may be able to go on with it, then at
 * growing intervals.
 */
export type LeaveToNewer = (error: NewerJournalError) => number;

export function createLeaveToNewer({
  elapsed,
  log,
}: {
  readonly elapsed: () => number;
  readonly log: Log;
}): LeaveToNewer {
  const known = new Map<JournalName, { readonly times: number; readonly atMs: number }>();

  return (error) => {
    const { journal } = error;
    const before = known.get(journal);
    if (before === undefined) {
      log.warn('A run is left to a newer version of the bot, and waits while none is running.', { error });
    }
    // Not left for so long means that another process took the run since: start again with short intervals.
    const anew = before === undefined || elapsed() - before.atMs > 2 * LIMITS.newerApartMs;
    const times = anew ? 0 : before.times;
    keepNewest(known, journal, { times: times + 1, atMs: elapsed() }, LIMITS.newerKnown);
    return Math.min(LIMITS.graceMs * 2 ** times, LIMITS.newerApartMs);
  };
}
