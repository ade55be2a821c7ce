import { type RunState, rowsOf } from '../journal/index.ts';
import type { ApprovalId, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { RunJournal } from './run-journal.ts';

export interface FindJournalDeps {
  readonly store: Pick<Store, 'findApproval'>;
  readonly journalOf: (run: RunId) => RunJournal;
}

/**
 * Finds the journal of a question of any kind by the question's id, and reads it up to now. A card that names the run saves
 * asking the store for it. Only the journal says whether the question is in that run.
 */
export type FindJournal = (id: ApprovalId, named?: RunId) => Promise<RunJournal | undefined>;

export function createFindJournal({ store, journalOf }: FindJournalDeps): FindJournal {
  const read = async (run: RunId): Promise<RunJournal> => {
    const journal = journalOf(run);
    await journal.refresh();
    return journal;
  };
  return async (id, named) => {
    const journal = named && (await read(named));
    const state = journal?.state();
    if (state !== undefined && hasAsked(state, id)) return journal;
    const run = await store.findApproval(id);
    return run === undefined ? undefined : read(run);
  };
}

function hasAsked(state: RunState, id: ApprovalId): boolean {
  return state.approvals.has(id) || state.questions.has(id) || rowsOf(state, id).length > 0;
}
