import { remainsOf } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { Copies } from '../questions/index.ts';
import type { RunJournal, Seals } from '../recorder/index.ts';
import type { RunId, Thread, ThreadKey } from '../records/index.ts';
import { isSettled } from '../runs/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Surface } from '../surface.ts';
import type { Archive } from './archive.ts';

/** Removes runs that ended long ago. Each is exported first, and the journal of its workspace says that it was removed. */
export interface Retention {
  /** Called when the time of a run may have come. Doing it twice is once, and so is dying at any line of it. */
  readonly retire: (run: RunId) => Promise<void>;
}

export interface RetentionDeps {
  readonly store: Pick<Store, 'read' | 'removeRun' | 'moveDue' | 'thread'>;
  readonly surface: Pick<Surface, 'status'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly seals: Pick<Seals, 'retire'>;
  readonly copies: Pick<Copies, 'settle'>;
  /** Absent: nothing is removed, also not what was to be when it ended. */
  readonly archive: Archive | undefined;
  readonly log: Log;
  readonly step: AtStep;
}

/** When it is looked at again, where it cannot go now. */
const LATER_MS = 60 * 60 * 1000;

export function createRetention({
  store,
  surface,
  journalOf,
  seals,
  copies,
  archive,
  log,
  step,
}: RetentionDeps): Retention {
  /** Said once it is true. Nothing is left by then that could owe it, and it only helps the eye. */
  const closeIfForgotten = async (key: ThreadKey, thread: Thread): Promise<void> => {
    const { currentRun, inbox } = await store.thread(key);
    if (currentRun === undefined && inbox.length === 0) await surface.status(thread, 'closed');
  };

  return {
    retire: async (run) => {
      const item = { what: 'retention', subject: run } as const;
      const journal = journalOf(run);
      await journal.refresh();
      // Whoever told people of a question that had just been answered may have died after the run was sealed.
      await copies.settle(journal);
      const state = journal.state();
      if (state === undefined) return store.moveDue(item, 'never');
      const { nowMs } = await store.read(run, Number.MAX_SAFE_INTEGER);
      const due = state.sealed !== false && nowMs >= (state.sealed.retireAtMs ?? Number.POSITIVE_INFINITY);
      if (archive === undefined || !due || !isSettled(state)) return store.moveDue(item, LATER_MS);
      if ((await archive.keep(run)) === 'gone') return;
      await step('run-exported');
      // First it is said, then done: a run that is gone and of which nothing says so was removed by hand. Whoever dies in
      // between makes the next one say it again. That does no harm: it is removed only as a version that was named, and for
      // whoever reads that journal a run that was named twice is gone like one that was named once. To look whether it stands
      // there already would mean reading back through all that others wrote since.
      if ((await seals.retire(journal)) === 'later') return;
      await step('run-retired');
      const remains = remainsOf(state);
      if (!(await store.removeRun(remains))) return;
      log.info('A run was exported and removed.', { run });
      await closeIfForgotten(remains.thread, state.thread);
    },
  };
}
