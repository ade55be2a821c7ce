import { busyIndex, decideChangedTools, unlessNewer } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type RunId, ThreadKey } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { type ToolTable, toolNow } from '../tools/index.ts';

export interface ChangedToolsDeps {
  readonly store: Pick<Store, 'members' | 'thread'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly tools: ToolTable;
  readonly kick: (thread: ThreadKey) => void;
  readonly log: Log;
}

/**
 * Takes back the open questions of a workspace about tools that a deployment has removed or changed: a yes would run
 * nothing. A question that this misses, because the process dies, is taken back when a person presses its card.
 */
export async function takeBackChanged({ store, journalOf, tools, kick, log }: ChangedToolsDeps, team: string) {
  let taken = 0;
  for (const member of await store.members(busyIndex(team))) {
    const thread = ThreadKey.parse(member);
    // One run may be of a newer version, or the store may be away. The other runs are looked at all the same.
    await orLog(log.warn, 'Questions about changed tools could not be looked for.', { thread }, async () => {
      const { currentRun } = await store.thread(thread, 1);
      if (currentRun === undefined) return;
      const look = () =>
        journalOf(currentRun).decide((state) => decideChangedTools(state, (asked) => toolNow(tools, asked)), 0);
      const committed = await unlessNewer(look, () => undefined);
      if (committed === undefined || committed === 'late' || committed === 0) return;
      taken += committed;
      kick(thread);
    });
  }
  if (taken > 0) log.info('Questions about tools that a deployment changed are taken back.', { team, taken });
}
