import { busyIndex, decideUnheard, NewerJournalError } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import { ThreadKey } from '../records/index.ts';
import { WORDS } from '../runs/index.ts';
import type { Store } from '../store/index.ts';

/**
 * The app was removed from a workspace: what runs there is stopped, what was asked is cancelled, and no trust is left for
 * whoever installs it again. Every step may be done twice, so whoever is told twice does it twice.
 */
export interface LeavingDeps {
  readonly store: Pick<Store, 'members' | 'thread'>;
  readonly journalOf: (run: RunJournal['run']) => RunJournal;
  readonly endTrust: (team: string) => Promise<number>;
  readonly kick: (thread: ThreadKey) => void;
  readonly log: Log;
}

export async function leave({ store, journalOf, endTrust, kick, log }: LeavingDeps, team: string): Promise<void> {
  const threads = (await store.members(busyIndex(team))).map((thread) => ThreadKey.parse(thread));
  let unread: NewerJournalError | undefined;
  for (const thread of threads) {
    const { currentRun } = await store.thread(thread);
    if (currentRun === undefined) continue;
    try {
      await journalOf(currentRun).decide(
        (state) =>
          state.thread.team !== team
            ? { entries: [], result: 'over' as const }
            : decideUnheard(state, WORDS.uninstalled),
        'over',
      );
    } catch (error) {
      // The others are ended first. Told once more, a newer version may be the one that hears it.
      if (!(error instanceof NewerJournalError)) throw error;
      unread ??= error;
    }
    // The hint wakes whoever has it in hand; somebody else brings it to its end.
    kick(thread);
  }
  const trusts = await endTrust(team);
  if (unread !== undefined) throw unread;
  log.info('A workspace was left', { team, stopped: threads.length, trusts });
}
