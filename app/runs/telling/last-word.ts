import type { Log } from '../../log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { threadKey } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import type { Rest } from '../story/drive.ts';
import { isSettled } from '../story/left-to-do.ts';

export interface LastWordDeps {
  readonly surface: Pick<Surface, 'statusShown' | 'workEnds'>;
  readonly store: Pick<Store, 'thread'>;
  readonly log: Log;
}

/** Never rejects. */
type LastWord = (journal: RunJournal, rest: Promise<Rest>) => Promise<void>;

const MOST_TRIES = 5;

/**
 * Whose turn it is in a thread is shown by whoever has its run, and what one process says may arrive after what the next one
 * says. So whoever lets go of a run looks again when its last word is there: if the run is over by then, it says that nobody
 * works. If it is not, then whoever ends it says so later than this, and is right.
 */
export function createLastWord({ surface, store, log }: LastWordDeps): LastWord {
  /** What is said next in the thread has a run of its own, and that ends with a word of its own. */
  const isOver = async (journal: RunJournal): Promise<boolean> => {
    const state = await journal.refresh();
    if (state === undefined || !isSettled(state)) return false;
    const { currentRun, inbox } = await store.thread(threadKey(state.thread));
    return currentRun === journal.run && inbox.length === 0;
  };

  return async (journal, rest) => {
    const ended = await rest.catch(() => undefined);
    const thread = journal.state()?.thread;
    if (ended === 'over' || thread === undefined) return;
    try {
      await surface.statusShown(thread);
      for (let tries = 0; tries < MOST_TRIES && (await isOver(journal)); tries += 1) {
        if (await surface.workEnds(thread)) return;
      }
    } catch (error) {
      log.debug('Nobody looked whether a thread shows that its run is over', { run: journal.run, error });
    }
  };
}
