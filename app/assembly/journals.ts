import type { Borders } from '../borders.ts';
import type { RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import {
  createFoldedJournals,
  createStoreTime,
  createWorkspaceJournal,
  openRunJournal,
  type RunJournal,
  type StoreTime,
  type WorkspaceJournal,
} from '../recorder/index.ts';
import type { ApprovalId, RunId, TrustId } from '../records/index.ts';
import { newId, shardOfTeam, trustIdFor } from '../store/index.ts';
import { createTurns } from '../time/index.ts';

export interface Journals {
  /** For runs and sweeps, which can wait through an outage. */
  readonly journalOf: (run: RunId) => RunJournal;
  /** For presses and deliveries, which need an answer soon, even a failure. */
  readonly failFastJournalOf: (run: RunId) => RunJournal;
  readonly workspaces: WorkspaceJournal;
  readonly newTrustId: (team: string, delivery?: string) => TrustId;
  readonly newQuestionId: (run: RunId) => ApprovalId;
}

type JournalsDeps = Pick<
  Borders,
  'config' | 'store' | 'failFast' | 'entryId' | 'elapsed' | 'clock' | 'appended' | 'sign' | 'foldedChars'
>;

/** Opens journals and makes new ids. An id says in which shard its journal is. */
export function makeJournals(deps: JournalsDeps): Journals {
  const { config, store, failFast, entryId, elapsed, clock, appended, sign, foldedChars } = deps;
  const counts = config.limits.perRequester !== undefined || config.limits.perTool !== undefined;
  const isAlone = store.isExclusive;
  const storeTime = isAlone ? ownTime(clock) : createStoreTime({ elapsed });
  const folded = createFoldedJournals<RunState>(foldedChars);
  const turns = createTurns();
  const recording = { store, entryId, elapsed, storeTime, isAlone, appended, counts, folded, turns };
  // An append of a run may wait through an outage, and must not hold up one that a person waits for.
  const failing: Pick<typeof recording, 'store' | 'turns'> = {
    store: failFast,
    turns: (name, work) => turns(name, work, LIMITS.turnMs),
  };
  return {
    journalOf: (run) => openRunJournal(recording, run),
    failFastJournalOf: (run) => openRunJournal({ ...recording, ...failing }, run),
    workspaces: createWorkspaceJournal({ store, entryId, storeTime, sign }),
    newTrustId: (team, delivery) => {
      const shard = shardOfTeam(team, store.shards);
      return delivery === undefined ? newId('g', shard) : trustIdFor(team, delivery, shard);
    },
    newQuestionId: (run) => newId('a', Number(run.slice(0, 2))),
  };
}

/** The embedded store has the clock of this process. */
function ownTime({ now }: Borders['clock']): StoreTime {
  return { nowMs: now, learn: () => {}, isKnown: () => true };
}
