import { hashLine, NO_HEAD, writeLines } from './journal/line.ts';
import type { WorkspaceBody } from './journal/workspace.ts';
import { LIMITS } from './limits.ts';
import { threadKey, type WorkspaceId } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import { workspaceOf } from './store/keys.ts';
import type { Store } from './store/store.ts';

/** Writes into the journal of the workspace how each run ended, so that the audit misses a run that is gone. */
export interface Seals {
  /** For a run that is over. Doing it twice is harmless; `later` when so many others seal that it has to wait. */
  readonly seal: (journal: RunJournal) => Promise<'sealed' | 'later'>;
}

export interface SealsDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'shards'>;
  readonly entryId: () => string;
}

/**
 * The journal of a workspace only grows, so nothing here reads more of it than its end: a seal depends on no earlier one,
 * and all that an append needs is the version and the hash of the last line.
 */
export function createSeals({ store, entryId }: SealsDeps): Seals {
  const ends = new Map<WorkspaceId, { readonly version: number; readonly head: string }>();
  let line: Promise<unknown> = Promise.resolve();

  const findEnd = async (workspace: WorkspaceId) => {
    const known = ends.get(workspace);
    const from = known?.version ?? (await store.read(workspace, Number.MAX_SAFE_INTEGER)).version - 1;
    const { entries, version, nowMs } = await store.read(workspace, Math.max(from, 0));
    const last = entries.at(-1);
    return { version, head: last === undefined ? (known?.head ?? NO_HEAD) : hashLine(last.text), nowMs };
  };

  const append = async (workspace: WorkspaceId, body: WorkspaceBody): Promise<'sealed' | 'later'> => {
    const id = entryId();
    for (let tries = 0; tries < LIMITS.appendAttempts; tries += 1) {
      const { version, head, nowMs } = await findEnd(workspace);
      const written = writeLines([{ ...body, id, atMs: nowMs }], head);
      const answer = await store.append({
        journal: workspace,
        expectedVersion: version,
        entries: written.lines,
        effects: [],
      });
      if (answer.type === 'conflict') ends.delete(workspace);
      else ends.set(workspace, { version: version + 1, head: written.head });
      if (answer.type === 'ok' || answer.type === 'already') return 'sealed';
    }
    return 'later';
  };

  const seal = async (journal: RunJournal): Promise<'sealed' | 'later'> => {
    const state = journal.state();
    if (state === undefined || state.sealed) return 'sealed';
    const { thread, run, version } = state;
    const sealed = await append(workspaceOf(thread.team, store.shards), {
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
