import { unlessNewer } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import { type InboxMessage, type OnCard, type Thread, threadKey, type UserId } from '../records/index.ts';
import type { Store, Taking } from '../store/index.ts';
import { keepNewest } from '../time/index.ts';
import { createWhileAside, isAside, type TriedAgain } from './aside.ts';
import { createStop, currentJournal, type StoppingDeps } from './stopping.ts';
import type { RunsInHand } from './story/in-hand.ts';
import { asksPeople } from './story/left-to-do.ts';
import type { IsLostThread } from './telling/lost-thread.ts';

/** What the rest of the bot asks of the runs of a thread: take a message, say where they stand, stop. */
export interface Runs {
  /** Takes a message once, however often it is delivered. Resolves when it is safely stored; rejects if it is not. */
  readonly take: (message: InboxMessage) => Promise<Taking>;
  /** Marks something that happened in a thread as seen, so that its repetition does nothing. */
  readonly once: (thread: Thread, key: string) => Promise<boolean>;
  /** Whether the agent takes part in this thread. */
  readonly knows: (thread: Thread) => Promise<boolean>;
  readonly isLostThread: IsLostThread;
  /** `aside`: processes died of its run, and it waits for a person. */
  readonly standing: (thread: Thread) => Promise<'idle' | 'working' | 'waiting' | 'aside'>;
  /** Whether this message is stored and the agent has not read it yet. Where several wait, it counts as one of them. */
  readonly keeps: (message: InboxMessage) => Promise<boolean>;
  /**
   * Stops the thread's run and cancels its questions. Stopping is always safe, so every person in the thread may do it.
   * `said` is the time of the request: delivered late, it does not stop a run that began after it.
   */
  readonly stop: (thread: Thread, by: UserId, said?: string) => Promise<'stopped' | 'nothing-runs'>;
  /** The same, and only while this is the run of the thread: a card that a person presses late may be of an earlier one. */
  readonly stopRun: (of: Pick<OnCard, 'run' | 'thread'>, by: UserId) => Promise<'stopped' | 'nothing-runs'>;
  /** Lets a process advance a thread that is set aside. Words that are `seen` were delivered before, also to the agent. */
  readonly tryAgain: (words: InboxMessage) => Promise<TriedAgain | { readonly type: 'seen' }>;
}

export interface ThreadRunsDeps extends StoppingDeps {
  readonly failFast: StoppingDeps['failFast'] & Pick<Store, 'take'>;
  readonly isLostThread: IsLostThread;
}

/** Names the workspace too, because two of them may use the same ids at the same instant. */
const placeKey = ({ team, channel }: Thread): string => `${team}/${channel}`;
const inboxKey = ({ thread, ts }: InboxMessage): string => `m/${placeKey(thread)}/${ts}`;

/** Slack delivers a mention as two events at once. The second waits for the first, and the store is not asked again. */
function takenOnce(take: Runs['take']): Runs['take'] {
  const latest = new Map<string, Promise<Taking>>();
  return async (message) => {
    const key = inboxKey(message);
    const before = latest.get(key);
    // A message that could not be stored is taken anew.
    if (before !== undefined)
      return before.then(
        () => 'seen' as const,
        () => take(message),
      );
    const taking = take(message);
    keepNewest(latest, key, taking, LIMITS.latestMessages);
    taking.catch(() => latest.delete(key));
    return taking;
  };
}

export function createThreadRuns(deps: ThreadRunsDeps, inHand: RunsInHand): Runs {
  const { failFast, step } = deps;
  const whileAside = createWhileAside(deps);
  const stop = createStop(deps, inHand, whileAside);

  const take = async (message: InboxMessage): Promise<Taking> => {
    const thread = threadKey(message.thread);
    const taken = await failFast.take({ key: inboxKey(message), thread, item: JSON.stringify(message) });
    if (taken === 'seen') return taken;
    await step('delivery-stored');
    deps.kick(thread);
    return taken;
  };

  return {
    take: takenOnce(take),
    once: async (thread, key) =>
      (await failFast.take({ key: `o/${placeKey(thread)}/${key}`, thread: threadKey(thread) })) !== 'seen',
    knows: async (thread) => {
      const { currentRun, inboxLength } = await failFast.thread(threadKey(thread), 1);
      return currentRun !== undefined || inboxLength > 0;
    },
    isLostThread: deps.isLostThread,
    standing: async (thread) => {
      const record = await failFast.thread(threadKey(thread), 1);
      if (isAside(record)) return 'aside';
      const journal = await unlessNewer(
        () => currentJournal(deps, inHand, record),
        () => 'newer' as const,
      );
      // A process that can read it has the run in hand, and reads new messages as well.
      if (journal === 'newer') return 'working';
      const state = journal?.state();
      if (state?.status.type !== 'running') return 'idle';
      return asksPeople(state) ? 'waiting' : 'working';
    },
    keeps: async (message) => {
      const { inbox, inboxLength } = await failFast.thread(threadKey(message.thread), 1);
      return inboxLength > 1 || inbox[0]?.key === inboxKey(message);
    },
    tryAgain: async (words) => {
      const { thread, user, userTeam: team = thread.team } = words;
      const taken = await failFast.take({ key: inboxKey(words), thread: threadKey(thread) });
      return taken === 'seen' ? { type: taken } : whileAside.tryAgain(thread, { user, team });
    },
    stop: (thread, by, said) => stop({ thread, by, said }),
    stopRun: ({ run, thread }, by) => stop({ thread, by, said: undefined, only: run }),
  };
}
