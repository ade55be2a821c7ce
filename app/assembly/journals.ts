import type { Borders } from '../borders.ts';
import type { RunState } from '../journal/index.ts';
import {
  createFoldedJournals,
  createWorkspaceJournal,
  openRunJournal,
  type RunJournal,
  type WorkspaceJournal,
} from '../recorder/index.ts';
import type { ApprovalId, RunId, TrustId } from '../records/index.ts';
import { newId, shardOfTeam } from '../store/index.ts';

export interface Journals {
  /** For runs and sweeps, which can wait through an outage. */
  readonly journalOf: (run: RunId) => RunJournal;
  /** For presses and deliveries, which need an answer soon, even a failure. */
  readonly failFastJournalOf: (run: RunId) => RunJournal;
  readonly workspaces: WorkspaceJournal;
  readonly newTrustId: (team: string) => TrustId;
  readonly newQuestionId: (run: RunId) => ApprovalId;
}

/** Opens journals and makes new ids. An id says in which shard its journal is. */
export function makeJournals({ config, store, failFast, entryId, elapsed, appended, sign }: Borders): Journals {
  const counts = config.limits.perRequester !== undefined || config.limits.perTool !== undefined;
  const recording = { store, entryId, elapsed, appended, counts, folded: createFoldedJournals<RunState>() };
  return {
    journalOf: (run) => openRunJournal(recording, run),
    failFastJournalOf: (run) => openRunJournal({ ...recording, store: failFast }, run),
    workspaces: createWorkspaceJournal({ store, entryId, sign }),
    newTrustId: (team) => newId('g', shardOfTeam(team, store.shards)),
    newQuestionId: (run) => newId('a', Number(run.slice(0, 2))),
  };
}
