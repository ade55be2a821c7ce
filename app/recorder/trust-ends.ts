import { endOfTrust, type TrustState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import { type Effect, workspaceOf } from '../store/index.ts';
import type { WorkspaceJournal } from './workspace-journal.ts';

export interface TrustEndsDeps {
  readonly workspaces: Pick<WorkspaceJournal, 'append'>;
  readonly shards: number;
  /** As in `RecorderDeps`. */
  readonly appended?: (effects: readonly Effect[]) => void;
  readonly log: Log;
}

/** A trust as its journal has it, and the hash of the last line. */
interface ReadTrust {
  readonly state: () => TrustState | undefined;
  readonly head: () => string;
}

/**
 * Writes the end of a trust into the journal of its workspace, so that the audit misses an end that was removed. The trust
 * leaves its lists with this entry, so a process that reads a list finds an end that is not on record yet. Never rejects.
 */
export type RecordEnd = (trust: ReadTrust) => Promise<void>;

export function createTrustEnds({ workspaces, shards, appended = () => {}, log }: TrustEndsDeps): RecordEnd {
  return async ({ state: read, head }) => {
    const state = read();
    const end = state && endOfTrust(state, head());
    if (state === undefined || end === undefined) return;
    const { id, team } = state.trust;
    const what =
      'The end of a trust is not in the journal of its workspace yet. The next reader of its lists writes it.';
    // The trust has ended all the same.
    const written = await orLog(log.warn, what, { trust: id }, () =>
      workspaces.append(workspaceOf(team, shards), end.entry, async () => end.effects),
    );
    if (written === 'written') appended(end.effects);
  };
}
