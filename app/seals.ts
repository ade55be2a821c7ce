import { threadKey } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import { workspaceOf } from './store/keys.ts';
import type { WorkspaceJournal } from './workspace-journal.ts';

/** Writes into the journal of the workspace how each run ended, so that the audit misses a run that is gone. */
export interface Seals {
  /** For a run that is over. Doing it twice is harmless; `later` when so many others seal that it has to wait. */
  readonly seal: (journal: RunJournal) => Promise<'sealed' | 'later'>;
}

export interface SealsDeps {
  readonly workspaces: Pick<WorkspaceJournal, 'append'>;
  readonly shards: number;
  /** What was in force has to stand there before what was done under it. */
  readonly before: (team: string) => Promise<void>;
}

export function createSeals({ workspaces, shards, before }: SealsDeps): Seals {
  let line: Promise<unknown> = Promise.resolve();

  const seal = async (journal: RunJournal): Promise<'sealed' | 'later'> => {
    const state = journal.state();
    if (state === undefined || state.sealed) return 'sealed';
    const { thread, run, version } = state;
    await before(thread.team);
    const sealed = await workspaces.append(workspaceOf(thread.team, shards), {
      type: 'run-sealed',
      run,
      thread: threadKey(thread),
      version,
      head: journal.head(),
    });
    if (sealed === 'later') return 'later';
    await journal.commit((now) => ({ entries: now?.sealed === false ? [{ type: 'sealed' }] : [], result: undefined }));
    return 'sealed';
  };

  return {
    // One after the other: replicas compete for the end of this journal, one process need not compete with itself.
    seal: (journal) => {
      const result = line.then(() => seal(journal));
      line = result.catch(() => {});
      return result;
    },
  };
}
