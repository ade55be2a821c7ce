import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { threadKey } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import type { RunOutcome } from '../story/drive.ts';
import { isSettled } from '../story/left-to-do.ts';

export interface LastWordDeps {
  readonly surface: Pick<Surface, 'statusShown' | 'workEnds'>;
  readonly store: Pick<Store, 'thread'>;
  readonly log: Log;
}

/** Never rejects. */
type LastWord = (journal: RunJournal, rest: Promise<RunOutcome>) => Promise<void>;

const MOST_TRIES = 5;

/**
 * Corrects the status of a thread after a process lets go of its run. Statuses of two processes may arrive in the wrong
 * order, so this process waits until its last status is shown. If the run is over by then, it shows that the agent has
 * stopped working. If not, the process that ends the run does so later.
 */
export function createLastWord({ surface, store, log }: LastWordDeps): LastWord {
  /** A later message has a run of its own, which ends with a status of its own. */
  const isOver = async (journal: RunJournal): Promise<boolean> => {
    const state = await journal.refresh();
    if (state === undefined || !isSettled(state)) return false;
    const { currentRun, inbox } = await store.thread(threadKey(state.thread));
    return currentRun === journal.run && inbox.length === 0;
  };

  return async (journal, rest) => {
    // The caller of the drive handles its failure. Here it only means that the run is not over.
    const [ended] = await Promise.allSettled([rest]);
    const thread = journal.state()?.thread;
    if ((ended.status === 'fulfilled' && ended.value === 'over') || thread === undefined) return;
    const what = 'The process could not check whether a thread shows that its run is over.';
    // The store or Slack may be away. The status then stays as it is, which harms nothing.
    await orLog(log.debug, what, { run: journal.run }, async () => {
      await surface.statusShown(thread);
      for (let tries = 0; tries < MOST_TRIES && (await isOver(journal)); tries += 1) {
        if (await surface.workEnds(thread)) return;
      }
    });
  };
}
