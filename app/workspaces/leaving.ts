import type { TrustAtWork } from '../authority/index.ts';
import { busyIndex, decideStop, decideUnheard, NewerJournalError, unlessNewer } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import { ThreadKey } from '../records/index.ts';
import { WORDS } from '../runs/index.ts';
import type { Store } from '../store/index.ts';

/**
 * Called when the app was removed from a workspace: stops its runs, cancels its questions, and ends its trusts, so that a
 * later installation begins without them. Every step may be done twice, because Slack may report a removal twice.
 */
export interface LeavingDeps extends Pick<TrustAtWork, 'endTrust'> {
  readonly store: Pick<Store, 'members' | 'thread'>;
  readonly journalOf: (run: RunJournal['run']) => RunJournal;
  readonly kick: (thread: ThreadKey) => void;
  readonly log: Log;
}

export async function leave(
  { store, journalOf, endTrust, kick, log }: LeavingDeps,
  team: string,
  // The app was installed again at this time, and only what is older ends.
  installedAtMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const threads = (await store.members(busyIndex(team))).map((thread) => ThreadKey.parse(thread));
  let unread: NewerJournalError | undefined;
  for (const thread of threads) {
    const { currentRun } = await store.thread(thread, 1);
    if (currentRun === undefined) continue;
    const end = () =>
      journalOf(currentRun).decide((state) => {
        if (state.thread.team !== team || state.startedAtMs >= installedAtMs) return { entries: [], result: 'over' };
        // Slack takes posts for a newer installation.
        if (installedAtMs < Number.POSITIVE_INFINITY) return decideStop(state, { cause: WORDS.uninstalled });
        return decideUnheard(state, WORDS.uninstalled);
      }, 'over');
    const ended = await unlessNewer(end, (error) => error);
    // Only a newer version can end this run. The others are ended first; Slack's next report may reach a newer version.
    if (ended instanceof NewerJournalError) unread ??= ended;
    // The hint of the append wakes the process that has the thread in hand. Without one, a kicked process ends the run.
    kick(thread);
  }
  const trusts = await endTrust(team, installedAtMs);
  if (unread !== undefined) throw unread;
  log.info('A workspace was left', { team, stopped: threads.length, trusts });
}
