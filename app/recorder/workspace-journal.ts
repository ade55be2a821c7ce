import { given } from '../given.ts';
import {
  hashLine,
  NewerEntryError,
  NO_HEAD,
  readLine,
  type Stamp,
  WorkspaceBody,
  writeLines,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { WorkspaceId } from '../records/index.ts';
import type { AppendAnswer, AppendRequest, Effect, Store } from '../store/index.ts';
import { endOf, type StoreTime } from './reading.ts';

/**
 * The journal of a workspace. It only grows, and no entry depends on an earlier one. So only its end is read: an append needs
 * the version and the hash of the last line.
 */
export interface WorkspaceJournal {
  /** `later`: too many other writers, try again. `effects` is called anew for each try. */
  readonly append: (
    workspace: WorkspaceId,
    body: WorkspaceBody,
    effects?: () => Promise<readonly Effect[]>,
  ) => Promise<'written' | 'later'>;
  /** An entry that an append to another journal takes along. After a `conflict` it is drafted anew. */
  readonly draft: (workspace: WorkspaceId, body: WorkspaceBody) => Promise<Draft>;
  /**
   * The newest entry of this type among the last `LIMITS.workspaceLookBack`. `undefined` if a newer version of the bot wrote
   * after it: this version cannot know whether that changed it.
   */
  readonly newest: <Type extends WorkspaceBody['type']>(
    workspace: WorkspaceId,
    type: Type,
  ) => Promise<Extract<WorkspaceBody & Stamp, { type: Type }> | undefined>;
  /** The last `LIMITS.workspaceLookBack` entries, newest first, without those of a newer version of the bot. */
  readonly latest: (workspace: WorkspaceId) => Promise<readonly (WorkspaceBody & Stamp)[]>;
}

/** An append that is not made yet. */
export interface Draft {
  readonly append: Pick<AppendRequest, 'journal' | 'expectedVersion' | 'follows' | 'entries'>;
  /** Takes what the store answered. */
  readonly answered: (answer: AppendAnswer) => void;
}

export interface WorkspaceJournalDeps {
  readonly store: Pick<Store, 'read' | 'append'>;
  readonly entryId: () => string;
  /** Absent: each append reads the time. */
  readonly storeTime?: StoreTime;
  /** Absent: entries are not signed. */
  readonly sign?: ((text: string, place: string) => string) | undefined;
}

export function createWorkspaceJournal({ store, entryId, storeTime, sign }: WorkspaceJournalDeps): WorkspaceJournal {
  const ends = new Map<WorkspaceId, End>();

  const findEnd = async (workspace: WorkspaceId) => {
    const known = ends.get(workspace);
    // The store refuses an append behind an old end, and the next try reads.
    if (known !== undefined && storeTime?.isKnown() === true) return { ...known, nowMs: storeTime.nowMs() };
    const from = known?.version ?? (await endOf(store, workspace)).version - 1;
    const { entries, version, nowMs } = await store.read(workspace, Math.max(from, 0));
    const last = entries.at(-1);
    const end = last === undefined ? known : { version, head: hashLine(last.text), lastId: last.id };
    return { version, head: NO_HEAD, ...end, nowMs };
  };

  const draft = async (workspace: WorkspaceId, body: WorkspaceBody, id = entryId()): Promise<Draft> => {
    const { version, head, lastId, nowMs } = await findEnd(workspace);
    const signed = sign && ((text: string) => sign(text, workspace));
    const written = writeLines([{ ...body, id, atMs: nowMs }], head, undefined, signed);
    return {
      append: { journal: workspace, expectedVersion: version, entries: written.lines, ...given({ follows: lastId }) },
      answered: ({ type }) => {
        if (type === 'conflict') ends.delete(workspace);
        else if (type !== 'late') ends.set(workspace, { version: version + 1, head: written.head, lastId: id });
      },
    };
  };

  /** The last lines, newest first. */
  const lookBack = async (workspace: WorkspaceId): Promise<readonly string[]> => {
    const { version } = await endOf(store, workspace);
    const { entries } = await store.read(workspace, Math.max(version - LIMITS.workspaceLookBack, 0));
    return entries.map(({ text }) => text).toReversed();
  };

  return {
    draft: (workspace, body) => draft(workspace, body),
    append: async (workspace, body, effects = async () => []) => {
      const id = entryId();
      for (let tries = 0; tries < LIMITS.appendAttempts; tries += 1) {
        const { append, answered } = await draft(workspace, body, id);
        const answer = await store.append({ ...append, effects: await effects() });
        answered(answer);
        if (answer.type === 'ok' || answer.type === 'already') return 'written';
      }
      return 'later';
    },
    newest: async <Type extends WorkspaceBody['type']>(workspace: WorkspaceId, type: Type) => {
      const isMeant = (entry: WorkspaceBody & Stamp): entry is Extract<WorkspaceBody & Stamp, { type: Type }> =>
        entry.type === type;
      for (const text of await lookBack(workspace)) {
        const entry = readUnlessNewer(text);
        if (entry === undefined) return undefined;
        if (isMeant(entry)) return entry;
      }
      return undefined;
    },
    latest: async (workspace) => (await lookBack(workspace)).flatMap((text) => readUnlessNewer(text) ?? []),
  };
}

/** Where a journal ends, as this process knows it. */
interface End {
  readonly version: number;
  readonly head: string;
  readonly lastId: string;
}

function readUnlessNewer(text: string): (WorkspaceBody & Stamp) | undefined {
  try {
    return readLine(WorkspaceBody, text).entry;
    // A newer version of the bot may have written this line. The caller treats it as unknown.
  } catch (error) {
    if (error instanceof NewerEntryError) return undefined;
    throw error;
  }
}
