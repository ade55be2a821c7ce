import { onFailure } from '../agent/index.ts';
import type { Admins } from '../authority/index.ts';
import { busyIndex, EntryBody, readLine } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Person, Thread, type ThreadKey, threadKey, type UserId } from '../records/index.ts';
import type { Store, ThreadRecord } from '../store/index.ts';
import { type Surface, UnreachableError } from '../surface.ts';
import type { ThreadOutcome } from '../work/index.ts';
import { isAfter, readInbox } from './story/new-messages.ts';
import { WORDS } from './telling/words.ts';

/*
 * A thread with which processes died again and again is set aside until a person says what to do. None of this folds the
 * journal of its run, because that may be what ends a process.
 */

export interface SettingAsideDeps {
  readonly store: Pick<Store, 'thread' | 'setAside' | 'takeUp'>;
  readonly surface: Surface;
  readonly lastWord: { readonly ofAside: (thread: Thread) => Promise<void> };
  /** Shows that the work is over. Answers when to try again, where that could not be shown. */
  readonly untilIdle: (thread: Thread) => Promise<number | undefined>;
}

/** True from the second death on, also before the thread is told. */
export const isAside = ({ aside, deaths }: ThreadRecord): boolean =>
  (aside !== undefined && aside !== 'left') || deaths >= LIMITS.deathsPerRun;

/** Each tells the thread before it writes that into the store. If this process dies between, the thread is told twice. */
export interface SettingAside {
  /** Lets no process advance the thread, unless a person says at once that it is to go on. */
  readonly setAside: (key: ThreadKey, by: string) => Promise<void>;
  /** Says that the thread was abandoned. It then goes on with what is in its inbox. */
  readonly tellLeft: (key: ThreadKey) => Promise<ThreadOutcome>;
}

export function createSettingAside({ store, surface, lastWord, untilIdle }: SettingAsideDeps): SettingAside {
  const tell = async (thread: Thread, what: string, text: string): Promise<void> => {
    const { nowMs } = await store.thread(threadKey(thread), 1);
    const post = { key: `${what}/${threadKey(thread)}/${nowMs}`, text, maybePosted: false };
    const [told] = await Promise.allSettled([surface.say(thread, post)]);
    // Where Slack takes no post any more, the thread goes on without words.
    if (told.status === 'rejected' && !(told.reason instanceof UnreachableError)) throw told.reason;
  };
  const tellLeft: SettingAside['tellLeft'] = async (key) => {
    const thread = threadOf(key);
    const offerInMs = await untilIdle(thread);
    if (offerInMs !== undefined) return { offerInMs };
    await tell(thread, 'abandoned', WORDS.abandoned);
    await store.takeUp(key, 'told');
    return 'later';
  };
  return {
    tellLeft,
    setAside: async (key, by) => {
      const thread = threadOf(key);
      if ((await store.thread(key, 1)).aside === 'left') {
        if ((await tellLeft(key)) !== 'later') throw new Error('The thread still looks busy.');
        return;
      }
      await tell(thread, 'aside', WORDS.setAside);
      const waits = await store.setAside(key, 'waiting', { by, deaths: LIMITS.deathsPerRun });
      if (!waits) return;
      await surface.status(thread, 'suspended');
      void lastWord.ofAside(thread);
    },
  };
}

export interface AsideDeps {
  readonly failFast: Pick<Store, 'thread' | 'members' | 'read' | 'setAside' | 'takeUp' | 'abandon'>;
  readonly admins: Admins;
  readonly kick: (thread: ThreadKey) => void;
  readonly log: Log;
}

export type TriedAgain =
  | { readonly type: 'tried' }
  | { readonly type: 'nothing-waits' }
  /** Another person asked for the run, or for the next one. */
  | { readonly type: 'refused'; readonly requester: UserId | undefined };

/** What people may do about a thread that is set aside. */
export interface WhileAside {
  /** Whether its run is over. A list says so, because the journal of the run may be what ends a process. */
  readonly isOver: (thread: Thread) => Promise<boolean>;
  /** Lets a process advance the thread again, if its requester or an admin says so. */
  readonly tryAgain: (thread: Thread, by: Person) => Promise<TriedAgain>;
  /**
   * Stops its run with `stop`. If that has ended a process before, or no run is left to stop, the thread is left without it, and
   * without its inbox, unless a message there was written after `said`.
   * `another-run`: one has begun since the thread was read, and nothing was done.
   */
  readonly stop: (
    thread: Thread,
    aside: ThreadRecord,
    said: string | undefined,
    stop: () => Promise<'stopped' | 'nothing-runs' | 'began-later'>,
  ) => Promise<'stopped' | 'nothing-runs' | 'another-run'>;
}

export function createWhileAside({ failFast, admins, kick, log }: AsideDeps): WhileAside {
  const isOver: WhileAside['isOver'] = async (thread) =>
    !(await failFast.members(busyIndex(thread.team))).includes(threadKey(thread));

  const requesterOf = async (thread: Thread, { currentRun, inbox }: ThreadRecord): Promise<UserId | undefined> => {
    if (currentRun === undefined || (inbox.length > 0 && (await isOver(thread))))
      return readInbox(inbox)[0]?.message.user;
    const { entries } = await failFast.read(currentRun, 0, 1);
    const first = entries[0] === undefined ? undefined : readLine(EntryBody, entries[0].text).entry;
    return first?.type === 'run-started' ? first.requester : undefined;
  };

  const takeUp = async (thread: Thread, deaths: number): Promise<void> => {
    const key = threadKey(thread);
    await failFast.takeUp(key, deaths);
    kick(key);
  };

  const abandon = async (
    thread: Thread,
    { currentRun: run, inbox }: ThreadRecord,
  ): Promise<'stopped' | 'another-run'> => {
    const key = threadKey(thread);
    if (!(await failFast.abandon(key, run, inbox.length))) return 'another-run';
    log.error('A thread is left as it is, because processes ended while they worked on it.', { thread: key });
    kick(key);
    return 'stopped';
  };

  return {
    isOver,
    tryAgain: async (thread, { user, team }) => {
      const record = await failFast.thread(threadKey(thread), 1);
      if (!isAside(record)) return { type: 'nothing-waits' };
      const requester = await requesterOf(thread, record);
      const isAdmin = () => team === thread.team && admins.isAdmin({ user, team, workspace: thread.workspace });
      if (requester !== user && !(await isAdmin())) return { type: 'refused', requester };
      await takeUp(thread, LIMITS.deathsPerRun - 1);
      return { type: 'tried' };
    },
    stop: async (thread, record, said, stop) => {
      const { currentRun, aside, inbox } = record;
      const leave = async () =>
        inbox.some(({ key }) => isAfter(key, said)) ? 'nothing-runs' : abandon(thread, record);
      // It is the inbox that ended the processes, or the stop before this one did.
      if (currentRun === undefined || aside === 'stopping' || (await isOver(thread))) return leave();
      const key = threadKey(thread);
      await failFast.setAside(key, 'stopping');
      // If the stop fails, this process lives, and the run can be stopped later.
      const wait = async () => void (await failFast.setAside(key, 'waiting'));
      const stopped = await onFailure(stop, wait);
      if (stopped === 'began-later') {
        await wait();
        return 'nothing-runs';
      }
      // The run has come to its end meanwhile.
      if (stopped === 'nothing-runs') return leave();
      await takeUp(thread, 0);
      return 'stopped';
    },
  };
}

/** What a thread's key leaves out only helps to find a workspace sooner. */
function threadOf(key: ThreadKey): Thread {
  const [team, channel, ts] = key.split(':');
  return Thread.parse({ team, channel, ts });
}
