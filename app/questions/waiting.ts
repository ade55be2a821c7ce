import { type AskedApproval, NewerJournalError, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { type RunJournal, SetBackError } from '../recorder/index.ts';
import type { ApprovalId, RunId } from '../records/index.ts';

/**
 * The durable promise. Waiting is one entry in a map: no timer, no connection, no worker. The journal says when it is
 * over; hints only make somebody look, and a look now and then finds what a lost hint did not tell.
 */
export interface Waiting {
  /**
   * Settles when the approval has a final state, and rejects with the signal's reason when the run gives the wait up.
   * The waiter is registered before the journal is read, so that no decision falls in between.
   */
  readonly until: (journal: RunJournal, approval: ApprovalId, signal: AbortSignal) => Promise<AskedApproval>;
  /** The same for anything else that a journal will say one day: settles with the first fact that is found. */
  readonly untilFound: <Fact>(
    journal: RunJournal,
    find: (state: RunState) => Fact | undefined,
    signal: AbortSignal,
  ) => Promise<Fact>;
  /** Somebody wrote to this run: look. */
  readonly look: (run: RunId) => Promise<void>;
  /** Hints may have been missed: look at everything that waits here. */
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

export function createWaiting({ log }: { readonly log: Log }): Waiting {
  const runs = new Map<RunId, WaitingRun>();

  const look = async (run: RunId): Promise<void> => {
    const waiting = runs.get(run);
    if (waiting === undefined) return;
    const state = await waiting.journal.refresh();
    if (state === undefined) return;
    for (const { settleIfFound } of [...waiting.waiters]) settleIfFound(state);
  };

  /** A failed look costs time, not the wait: the next one finds the same. */
  const lookQuietly = (run: RunId): Promise<void> =>
    look(run).catch((error: unknown) => {
      // What they wait for may never have been asked, as far as anybody will ever know; or another version has the answer.
      const isVain = error instanceof SetBackError || error instanceof NewerJournalError;
      if (!(error instanceof NewerJournalError)) log.warn('Could not look at a waiting run yet.', { run, error });
      if (isVain) for (const { giveUp } of [...(runs.get(run)?.waiters ?? [])]) giveUp(error);
    });

  const untilFound = async <Fact>(
    journal: RunJournal,
    find: (state: RunState) => Fact | undefined,
    signal: AbortSignal,
  ): Promise<Fact> => {
    signal.throwIfAborted();
    const waiting = runs.get(journal.run) ?? { journal, waiters: new Set() };
    runs.set(journal.run, waiting);
    const settled = new Promise<Fact>((resolve, reject) => {
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
    // Whoever gives up first hears of it through `settled`; this look must not be a second, unheard rejection.
    void lookQuietly(journal.run);
    return settled;
  };

  return {
    untilFound,
    until: (journal, approval, signal) =>
      untilFound(
        journal,
        ({ approvals }) => {
          const asked = approvals.get(approval);
          return asked?.standing.status === 'pending' ? undefined : asked;
        },
        signal,
      ),
    look: lookQuietly,
    lookAtAll: async () => {
      await Promise.all([...runs.keys()].map(lookQuietly));
    },
    count: () => [...runs.values()].reduce((sum, { waiters }) => sum + waiters.size, 0),
  };
}
