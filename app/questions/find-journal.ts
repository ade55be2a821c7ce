import type { RunJournal } from '../recorder/index.ts';
import type { ApprovalId, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';

export interface FindJournalDeps {
  readonly store: Pick<Store, 'findApproval'>;
  readonly journalOf: (run: RunId) => RunJournal;
}

/** The journal that a question to people is in, read up to now: whatever kind of question it is, its id finds its run. */
export function createFindJournal({ store, journalOf }: FindJournalDeps) {
  return async (id: ApprovalId): Promise<RunJournal | undefined> => {
    const run = await store.findApproval(id);
    if (run === undefined) return undefined;
    const journal = journalOf(run);
    await journal.refresh();
    return journal;
  };
}
