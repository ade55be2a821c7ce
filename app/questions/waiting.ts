import { NewerJournalError, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { type RunJournal, SetBackError } from '../recorder/index.ts';
import type { RunId } from '../records/index.ts';
import type { Hint } from '../store/index.ts';

/**
 * Waits for facts in a journal. A waiter is one entry in a map: no timer, no connection, no worker. Only the journal ends a
 * wait. Hints make this process read the journal sooner, and a regular look at all waiters makes up for lost hints.
 */
export interface Waiting {
  /**
   * Settles with the first fact that `find` returns, and rejects with the signal's reason when the run gives up. The waiter is
   * registered before the journal is read, so that no fact is missed in between. A question that this process has just
   * asked gives the `asked` version: nothing before it is an answer, and hints tell of all that follows, so nothing is read.
   */
  readonly untilFound: <Fact>(
    journal: RunJournal,
    find: (state: RunState) => Fact | undefined,
    signal: AbortSignal,
    asked?: number,
  ) => Promise<Fact>;
  /** Looks at this run, because its journal may have grown. With a version, reads only what is not known up to there. */
  readonly look: (run: RunId, version?: number, told?: Hint['entries']) => Promise<void>;
  /** Reads the journal of every run that waits here, because hints may have been lost. */
  readonly lookAtAll: () => Promise<void>;
  readonly count: () => number;
}

interface Waiter {
  readonly settleIfFound: (state: RunState) => void;
  readonly giveUp: (why: Error) => void;
}

interface WaitingRun {
  readonly journal: RunJournal;
  readonly waiters: Set<Waiter>;
}

/** All waiters of this process. */
interface Here {
  readonly runs: Map<RunId, WaitingRun>;
  readonly log: Log;
}

export function createWaiting({ log }: { readonly log: Log }): Waiting {
  const here: Here = { runs: new Map(), log };
  const { runs } = here;
  return {
    untilFound: (journal, find, signal, asked) => untilFound(here, journal, { find, signal, asked }),
    look: (run, version, told) => lookQuietly(here, run, version, told),
    lookAtAll: async () => {
      await Promise.all([...runs.keys()].map((run) => lookQuietly(here, run)));
    },
    count: () => [...runs.values()].reduce((sum, { waiters }) => sum + waiters.size, 0),
  };
}

function lookQuietly(here: Here, run: RunId, version?: number, told?: Hint['entries']): Promise<void> {
  // The store may be out of reach. The wait goes on, and the next look finds the same.
  return look(here, run, version, told).catch((error: unknown) => {
    // The awaited entry may be lost for good, or only a newer version can read it. Then waiting is in vain.
    const isVain = error instanceof SetBackError || error instanceof NewerJournalError;
    if (!(error instanceof NewerJournalError)) here.log.warn('Could not look at a waiting run yet.', { run, error });
    if (isVain) for (const { giveUp } of [...(here.runs.get(run)?.waiters ?? [])]) giveUp(error);
  });
}

async function look({ runs }: Here, run: RunId, version?: number, told?: Hint['entries']): Promise<void> {
  const waiting = runs.get(run);
  if (waiting === undefined) return;
  const state = await waiting.journal.refresh(version, told);
  // Another reader in this process may have met the loss first, and the journal fails only once for it.
  if (waiting.journal.wasSetBack()) throw new SetBackError(run);
  if (state === undefined) return;
  for (const { settleIfFound } of [...waiting.waiters]) settleIfFound(state);
}

interface Sought<Fact> {
  readonly find: (state: RunState) => Fact | undefined;
  readonly signal: AbortSignal;
  /** The version up to which the journal has to be known. Absent: it is read. */
  readonly asked?: number | undefined;
}

async function untilFound<Fact>(here: Here, journal: RunJournal, sought: Sought<Fact>): Promise<Fact> {
  sought.signal.throwIfAborted();
  const settled = register(here, journal, sought);
  // A waiter that gives up first rejects `settled`; this look must not be a second, unhandled rejection.
  void lookQuietly(here, journal.run, sought.asked);
  return settled;
}

/** Puts a waiter into the map. It leaves the map when it settles. */
function register<Fact>({ runs }: Here, journal: RunJournal, { find, signal }: Sought<Fact>): Promise<Fact> {
  const waiting = runs.get(journal.run) ?? { journal, waiters: new Set() };
  runs.set(journal.run, waiting);
  return new Promise<Fact>((resolve, reject) => {
    const end = () => {
      waiting.waiters.delete(waiter);
      if (waiting.waiters.size === 0) runs.delete(journal.run);
      signal.removeEventListener('abort', onAbort);
    };
    const giveUp = (why: unknown) => {
      end();
      reject(why);
    };
    const onAbort = () => giveUp(signal.reason);
    const settleIfFound = (state: RunState) => {
      const fact = find(state);
      if (fact === undefined) return;
      end();
      resolve(fact);
    };
    const waiter = { settleIfFound, giveUp };
    waiting.waiters.add(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
