import type { Archived } from '../journal/index.ts';
import { threadKey } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { workspaceOf } from '../store/index.ts';
import { createTurns } from '../time/index.ts';
import type { RunJournal } from './run-journal.ts';
import type { WorkspaceJournal } from './workspace-journal.ts';

/** Writes where each run begins and ends into the journal of its workspace, so that the audit notices a run that is missing. */
export interface Seals {
  /** For a run before the model is asked for the first time. Twice is harmless. `later`: too many other writers, try again. */
  readonly begin: (journal: RunJournal) => Promise<'written' | 'later'>;
  /** For a run that is over. Sealing twice is harmless. `later`: too many other writers, try again. */
  readonly seal: (journal: RunJournal) => Promise<'sealed' | 'later'>;
  /** For an archived run that is about to be removed, so that the audit knows why it is missing, and where it is kept. */
  readonly retire: (journal: RunJournal, archive: Archived) => Promise<'written' | 'later'>;
}

export interface SealsDeps {
  readonly workspaces: Pick<WorkspaceJournal, 'append'>;
  readonly shards: number;
  /** Writes the rules in force into the journal of the workspace. They have to precede the runs under them. */
  readonly before: (team: string) => Promise<void>;
  /** How long a run is kept after its end. Absent: for ever. */
  readonly retainMs?: number | undefined;
  readonly step: AtStep;
}

export function createSeals({ workspaces, shards, before, retainMs, step }: SealsDeps): Seals {
  const inTurn = createTurns();

  const begin = async (journal: RunJournal): Promise<'written' | 'later'> => {
    const state = journal.state();
    if (state === undefined) return 'written';
    const { thread, run } = state;
    await before(thread.team);
    return workspaces.append(workspaceOf(thread.team, shards), { type: 'run-begun', run, thread: threadKey(thread) });
  };

  const seal = async (journal: RunJournal): Promise<'sealed' | 'later'> => {
    const state = journal.state();
    if (state === undefined || state.sealed !== false) return 'sealed';
    const { thread, run, version } = state;
    // Together with the version: a press may be refused, and written, while this waits.
    const head = journal.head();
    await before(thread.team);
    const sealed = await workspaces.append(workspaceOf(thread.team, shards), {
      type: 'run-sealed',
      run,
      thread: threadKey(thread),
      version,
      head,
    });
    if (sealed === 'later') return 'later';
    await step('run-sealed');
    await journal.commit((now, nowMs) => {
      const retire = retainMs === undefined ? {} : { retireAtMs: nowMs + retainMs };
      return { entries: now?.sealed === false ? [{ type: 'sealed', ...retire }] : [], result: undefined };
    });
    return 'sealed';
  };

  const retire = async (journal: RunJournal, archive: Archived): Promise<'written' | 'later'> => {
    const state = journal.state();
    if (state === undefined) return 'written';
    const { thread, run, version } = state;
    await before(thread.team);
    return workspaces.append(workspaceOf(thread.team, shards), {
      type: 'run-retired',
      run,
      version,
      head: journal.head(),
      archive,
    });
  };

  return {
    // One after the other: replicas compete for the end of this journal, and this process must not compete with itself.
    begin: (journal) => inTurn('seal', () => begin(journal)),
    seal: (journal) => inTurn('seal', () => seal(journal)),
    retire: (journal, archive) => inTurn('seal', () => retire(journal, archive)),
  };
}
