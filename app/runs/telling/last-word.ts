import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { type RunId, type Thread, threadKey } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import { isAside } from '../aside.ts';
import type { RunOutcome } from '../story/drive.ts';
import { isSettled } from '../story/left-to-do.ts';

export interface LastWordDeps {
  readonly surface: Pick<Surface, 'statusShown' | 'workEnds'>;
  readonly store: Pick<Store, 'thread' | 'isExclusive'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly log: Log;
}

/**
 * Corrects the status of a thread after a process lets go of it. Statuses of two processes may arrive in the wrong order, so
 * this process waits until its last status is shown. If the work is over by then, it shows that the agent has stopped
 * working. If not, the process that ends it does so later. Never rejects.
 */
export interface LastWord {
  /** The process lets go of a run. */
  readonly ofRun: (journal: RunJournal, rest: Promise<RunOutcome>) => Promise<void>;
  /** The process has set the thread aside. A process that only stood still may have gone on with it. */
  readonly ofAside: (thread: Thread) => Promise<void>;
}

const MOST_TRIES = 5;

export function createLastWord({ surface, store, journalOf, log }: LastWordDeps): LastWord {
  // The statuses of one process arrive in order. A journal that waits for Slack's rate here is a journal kept in memory.
  if (store.isExclusive) return { ofRun: async () => {}, ofAside: async () => {} };
  /** A later message has a run of its own, which ends with a status of its own. */
  const isOver = async (journal: RunJournal): Promise<boolean> => {
    const state = await journal.refresh();
    if (state === undefined || !isSettled(state)) return false;
    const { currentRun, inboxLength } = await store.thread(threadKey(state.thread), 1);
    return currentRun === journal.run && inboxLength === 0;
  };
  const isOverAside = async (thread: Thread): Promise<boolean> => {
    const record = await store.thread(threadKey(thread), 1);
    // The journal may be what ended processes, unless one of them has got further with it.
    if (isAside(record) || record.deaths > 0) return false;
    const { currentRun, inboxLength } = record;
    return currentRun === undefined ? inboxLength === 0 : isOver(journalOf(currentRun));
  };
  const correct = async (thread: Thread, isOverNow: () => Promise<boolean>): Promise<void> => {
    const what = 'The process could not check whether a thread shows that its work is over.';
    // The store or Slack may be away. The status then stays as it is, which harms nothing.
    await orLog(log.debug, what, { thread: threadKey(thread) }, async () => {
      await surface.statusShown(thread);
      for (let tries = 0; tries < MOST_TRIES && (await isOverNow()); tries += 1) {
        if (await surface.workEnds(thread)) return;
      }
    });
  };

  return {
    ofRun: async (journal, rest) => {
      // The caller of the drive handles its failure. Here it only means that the run is not over.
      const [ended] = await Promise.allSettled([rest]);
      const thread = journal.state()?.thread;
      if ((ended.status === 'fulfilled' && ended.value === 'over') || thread === undefined) return;
      await correct(thread, () => isOver(journal));
    },
    ofAside: (thread) => correct(thread, () => isOverAside(thread)),
  };
}
