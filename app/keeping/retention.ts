import { remainsOf } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { Copies } from '../questions/index.ts';
import { endOf, type RunJournal, type Seals } from '../recorder/index.ts';
import { type RunId, type Thread, threadKey } from '../records/index.ts';
import { isSettled } from '../runs/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Surface } from '../surface.ts';
import { type Archive, UnkeptError } from './archive.ts';

export interface RetentionDeps {
  readonly store: Pick<Store, 'read' | 'removeRun' | 'moveDue' | 'thread'>;
  readonly surface: Pick<Surface, 'status'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly seals: Pick<Seals, 'retire'>;
  readonly copies: Pick<Copies, 'settle'>;
  /** Absent: no run is removed, not even one whose seal names a time for it. */
  readonly archive: Archive | undefined;
  readonly log: Log;
  readonly step: AtStep;
}

/** When a run that cannot be removed now is looked at again. */
const LATER_MS = 60 * 60 * 1000;

/**
 * Removes a run that ended long ago. It is archived first, and the journal of its workspace records the removal. Called when
 * the time of the run may have come. Calling it twice, or dying at any line of it, does no harm.
 */
export async function retire(deps: RetentionDeps, run: RunId): Promise<void> {
  const { store, journalOf, seals, copies, archive, log, step } = deps;
  const item = { what: 'retention', subject: run } as const;
  const journal = journalOf(run);
  await journal.refresh();
  // A process may have died after the run was sealed, before it painted the direct copies of an answered question.
  await copies.settle(journal);
  const state = journal.state();
  if (state === undefined) return store.moveDue(item, 'never');
  const { nowMs } = await endOf(store, run);
  const due = state.sealed !== false && nowMs >= (state.sealed.retireAtMs ?? Number.POSITIVE_INFINITY);
  if (archive === undefined || !due || !isSettled(state)) return store.moveDue(item, LATER_MS);
  const kept = await archive.keep(run, state.version).catch(async (error: unknown) => {
    // Each try reads the whole run, and a disk that is full stays full for long.
    if (error instanceof UnkeptError) await store.moveDue(item, LATER_MS);
    throw error;
  });
  if (kept === 'gone') return;
  if (kept === 'grown') return store.moveDue(item, LATER_MS);
  await step('run-exported');
  // The removal is recorded before the deletion: a missing run without that record was deleted by hand. After a crash in
  // between, the next process records it again. A second record does no harm: only a recorded version is removed, and the
  // audit reads two records like one. A search for the first would read back through all later entries of the workspace.
  if ((await seals.retire(journal, kept)) === 'later') return;
  await step('run-retired');
  const remains = remainsOf(state);
  if (!(await store.removeRun(remains))) return;
  journal.forget();
  log.info('A run was archived and removed.', { run });
  await closeIfForgotten(deps, state.thread);
}

/** Shows the thread as closed when its last run is gone. A crash may lose this: no journal is left to owe it. */
async function closeIfForgotten({ store, surface }: RetentionDeps, thread: Thread): Promise<void> {
  const { currentRun, inboxLength } = await store.thread(threadKey(thread), 1);
  if (currentRun === undefined && inboxLength === 0) await surface.status(thread, 'closed');
}
