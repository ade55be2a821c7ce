import type { NewerJournalError } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { JournalName } from '../records/index.ts';
import { keepNewest } from '../time/index.ts';

/**
 * Runs that only a newer version of the bot can read. A process that gets one offers it again: soon at first, because another
 * process may be able to go on with it, then at growing intervals.
 */
export interface PressRefusals {
  /** Logs this once for each run, and returns in how many milliseconds the run is to be offered again. */
  readonly refuse: (error: NewerJournalError) => number;
}

export interface RefusalsDeps {
  readonly elapsed: () => number;
  readonly log: Log;
}

export function createRefusals({ elapsed, log }: RefusalsDeps): PressRefusals {
  const known = new Map<JournalName, { readonly times: number; readonly atMs: number }>();

  return {
    refuse: (error) => {
      const { journal } = error;
      const before = known.get(journal);
      if (before === undefined) {
        log.warn('A run is left to a newer version of the bot, and waits while none is running.', { error });
      }
      // No refusal for so long means that another process took the run since: start again with short intervals.
      const anew = before === undefined || elapsed() - before.atMs > 2 * LIMITS.refusalApartMs;
      const times = anew ? 0 : before.times;
      keepNewest(known, journal, { times: times + 1, atMs: elapsed() }, LIMITS.refusalsKnown);
      return Math.min(LIMITS.graceMs * 2 ** times, LIMITS.refusalApartMs);
    },
  };
}
