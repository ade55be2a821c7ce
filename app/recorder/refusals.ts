import type { NewerJournalError } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { JournalName } from '../records/index.ts';

/**
 * Runs that only a newer version of the bot reads. Whoever is handed one passes it on: soon, as another process may be able
 * to go on with it, and ever later where none is.
 */
export interface PressRefusals {
  /** Says so once for each run, and answers in how many milliseconds it is to be offered again. */
  readonly refuse: (error: NewerJournalError) => number;
}

export interface RefusalsDeps {
  readonly elapsed: () => number;
  readonly log: Log;
}

export function createRefusals({ elapsed, log }: RefusalsDeps): PressRefusals {
  const known = new Map<JournalName, { readonly times: number; readonly atMs: number }>();

  const remember = (journal: JournalName, times: number): void => {
    // The one that was refused last stands last, so what is forgotten is what nobody asked for the longest.
    known.delete(journal);
    known.set(journal, { times, atMs: elapsed() });
    const [oldest] = known.keys();
    if (known.size > LIMITS.refusalsKnown && oldest !== undefined) known.delete(oldest);
  };

  return {
    refuse: (error) => {
      const { journal } = error;
      const before = known.get(journal);
      if (before === undefined) {
        log.warn('A run is left to a newer version of the bot, and waits while none is running.', { error });
      }
      // Somebody had it since, so somebody else is there to offer it to.
      const anew = before === undefined || elapsed() - before.atMs > 2 * LIMITS.refusalApartMs;
      const times = anew ? 0 : before.times;
      remember(journal, times + 1);
      return Math.min(LIMITS.graceMs * 2 ** times, LIMITS.refusalApartMs);
    },
  };
}
