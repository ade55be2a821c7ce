import { type Archived, type EntryBody, evolve, type RunState } from '../journal/index.ts';
import { type Thread, threadKey, type WorkspaceId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Store, workspaceOf } from '../store/index.ts';
import { createTurns } from '../time/index.ts';
import type { Committed, Decide, TakenAlong } from './recorder.ts';
import type { RunJournal } from './run-journal.ts';
import type { WorkspaceJournal } from './workspace-journal.ts';

/** Writes where each run begins and ends into the journal of its workspace, so that the audit notices a run that is missing. */
export interface Seals {
  /** Writes the first entries of a run: on an embedded store, in one step with its beginning. */
  readonly start: (
    journal: RunJournal,
    thread: Thread,
    decide: Decide<RunState, EntryBody, boolean>,
  ) => Promise<Committed<boolean>>;
  /** Writes what may end a run. On an embedded store, a run that then is over and owes nothing is sealed in the same step. */
  readonly end: <Result>(
    journal: RunJournal,
    decide: Decide<RunState, EntryBody, Result>,
    isOverAndPaid: (state: RunState) => boolean,
  ) => Promise<Committed<Result>>;
  /** For a run before the model is asked for the first time. Twice is harmless. `later`: too many other writers, try again. */
  readonly begin: (journal: RunJournal) => Promise<'written' | 'later'>;
  /** For a run that is over. Sealing twice is harmless. `later`: too many other writers, try again. */
  readonly seal: (journal: RunJournal) => Promise<'sealed' | 'later'>;
  /** For an archived run that is about to be removed, so that the audit knows why it is missing, and where it is kept. */
  readonly retire: (journal: RunJournal, archive: Archived) => Promise<'written' | 'later'>;
}

export interface SealsDeps {
  readonly workspaces: Pick<WorkspaceJournal, 'append' | 'draft'>;
  readonly store: Pick<Store, 'isExclusive' | 'shards'>;
  /** Writes the rules in force into the journal of the workspace. They have to precede the runs under them. */
  readonly before: (team: string) => Promise<void>;
  /** How long a run is kept after its end. Absent: for ever. */
  readonly retainMs?: number | undefined;
  readonly step: AtStep;
}

export function createSeals({ workspaces, store, before, retainMs, step }: SealsDeps): Seals {
  const inTurn = createTurns();
  /** Runs that this process has started in one step with their beginning. */
  const begun = new WeakSet<RunJournal>();
  const workspaceAt = ({ team }: Thread): WorkspaceId => workspaceOf(team, store.shards);

  const start: Seals['start'] = async (journal, thread, decide) => {
    if (!store.isExclusive) return journal.begin(decide);
    await before(thread.team);
    const { run } = journal;
    const started = await journal.begin(decide, () =>
      workspaces.draft(workspaceAt(thread), beginning({ run, thread })),
    );
    if (started === true) begun.add(journal);
    return started;
  };

  const begin: Seals['begin'] = async (journal) => {
    const state = journal.state();
    if (state === undefined || begun.has(journal)) return 'written';
    await before(state.thread.team);
    return workspaces.append(workspaceAt(state.thread), beginning(state));
  };

  const { markOf, draftOf } = sealing({ workspaces, store, retainMs });
  const mark: Decide<RunState, EntryBody, void> = (now, nowMs) => ({ entries: markOf(now, nowMs), result: undefined });

  const end: Seals['end'] = async (journal, decide, isOverAndPaid) => {
    const team = journal.state()?.thread.team;
    if (!store.isExclusive || team === undefined) return journal.commit(decide);
    await before(team);
    const committed = await journal.commit((now, nowMs) => {
      const decided = decide(now, nowMs);
      const then = decided.entries.reduce(
        (state, body) => evolve(state, { ...body, id: 'not written yet', atMs: nowMs }),
        now,
      );
      const isEnd = then !== undefined && isOverAndPaid(then);
      return isEnd ? { ...decided, entries: [...decided.entries, ...markOf(then, nowMs)] } : decided;
    }, draftOf);
    if (journal.state()?.sealed !== false) await step('run-sealed');
    return committed;
  };

  const seal: Seals['seal'] = async (journal) => {
    const state = journal.state();
    if (state === undefined || state.sealed !== false) return 'sealed';
    const { thread } = state;
    // Together with the version: a press may be refused, and written, while this waits.
    const [version, head] = [state.version, journal.head()];
    await before(thread.team);
    if (store.isExclusive) {
      await journal.commit(mark, draftOf);
      await step('run-sealed');
      return 'sealed';
    }
    const sealed = { ...endOf(state), version, head };
    if ((await workspaces.append(workspaceAt(thread), sealed)) === 'later') return 'later';
    await step('run-sealed');
    await journal.commit(mark);
    return 'sealed';
  };

  const retire: Seals['retire'] = async (journal, archive) => {
    const state = journal.state();
    if (state === undefined) return 'written';
    const { thread, run, version } = state;
    await before(thread.team);
    return workspaces.append(workspaceAt(thread), { type: 'run-retired', run, version, head: journal.head(), archive });
  };

  // One after the other: replicas compete for the end of this journal, and this process must not compete with itself.
  return {
    start: (...about) => inTurn('seal', () => start(...about)),
    begin: (journal) => inTurn('seal', () => begin(journal)),
    end: (...about) => inTurn('seal', () => end(...about)),
    seal: (journal) => inTurn('seal', () => seal(journal)),
    retire: (...about) => inTurn('seal', () => retire(...about)),
  };
}

/** What seals a run: the mark in its own journal, and the entry in that of its workspace, which has the mark as well. */
function sealing({ workspaces, store, retainMs }: Pick<SealsDeps, 'workspaces' | 'store' | 'retainMs'>) {
  const markOf = (state: RunState | undefined, nowMs: number): readonly EntryBody[] => {
    const retire = retainMs === undefined ? {} : { retireAtMs: nowMs + retainMs };
    return state?.sealed === false ? [{ type: 'sealed', ...retire }] : [];
  };
  const draftOf: TakenAlong<RunState> = async ({ state, version, head }) =>
    state === undefined || state.sealed === false
      ? undefined
      : workspaces.draft(workspaceOf(state.thread.team, store.shards), { ...endOf(state), version, head: head() });
  return { markOf, draftOf };
}

const beginning = ({ run, thread }: Pick<RunState, 'run' | 'thread'>) => ({
  type: 'run-begun' as const,
  run,
  thread: threadKey(thread),
});

const endOf = ({ run, thread }: RunState) => ({ type: 'run-sealed' as const, run, thread: threadKey(thread) });
