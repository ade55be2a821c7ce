import { decideStop, NewerJournalError, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Cards, Waiting } from '../questions/index.ts';
import type { Refusals, RunJournal } from '../recorder/index.ts';
import {
  type InboxMessage,
  type RunId,
  type Thread,
  type ThreadKey,
  threadKey,
  type UserId,
} from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Advanced } from '../work/index.ts';
import { type BeginningDeps, createBeginning } from './story/beginning.ts';
import { type DriveDeps, driveRun } from './story/drive.ts';
import { createHold, type Hold } from './story/hold.ts';
import { asksPeople, beganAfter, isSettled, waitsForPeople } from './story/standing.ts';
import { createLastWord } from './telling/last-word.ts';
import { WORDS } from './telling/words.ts';

/** The story of a run, from a message to the last reply, as the rest of the bot sees it. */
export interface Runs {
  /** Takes a message once, however often it is delivered. Resolves when it is safely stored; rejects if it is not. */
  readonly take: (message: InboxMessage) => Promise<'taken' | 'seen'>;
  /** Marks something that happened in a thread as seen, so that its repetition does nothing. */
  readonly once: (thread: Thread, key: string) => Promise<boolean>;
  /** Is this a thread the agent takes part in? */
  readonly knows: (thread: Thread) => Promise<boolean>;
  readonly standing: (thread: Thread) => Promise<'idle' | 'working' | 'waiting'>;
  /** Is this message stored, and not yet before the agent? */
  readonly keeps: (message: InboxMessage) => Promise<boolean>;
  /**
   * Stops the thread's run and cancels what it asked. Always safe, so anybody in the thread may. What was said at `said`
   * is not about a run that began later, should it be delivered late.
   */
  readonly stop: (thread: Thread, by: UserId, said?: string) => Promise<'stopped' | 'nothing-runs'>;
}

/** What the process needs besides. */
export interface RunsAtWork {
  /** As far as it goes. */
  readonly advance: (thread: ThreadKey) => Promise<Advanced>;
  /** Takes a thread out of `todo` while people have all of it in hand; `false` when they have not, and whoever waits here looks. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
  /** Somebody wrote to this run. */
  readonly onHint: (hint: { readonly run: RunId; readonly thread: ThreadKey }) => void;
  readonly onGap: () => void;
  /** Runs that have only been waiting for so long, and the oldest of too many, give their memory back. They go on from the journal. */
  readonly parkWaiting: (longerThanMs: number) => void;
  /** The process ends: every run lets go at its next safe point. */
  readonly parkAll: () => void;
}

export interface RunsDeps extends DriveDeps, Omit<BeginningDeps, 'surface'> {
  readonly store: Store;
  /** The same facts for those who wait for an answer: it says no soon instead of waiting through an outage. */
  readonly quick: Store;
  readonly waiting: Waiting;
  readonly refusals: Refusals;
  readonly cards: Cards;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly quickJournalOf: (run: RunId) => RunJournal;
  readonly kick: (thread: ThreadKey) => void;
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly elapsed: () => number;
  readonly log: Log;
  readonly step: AtStep;
}

/** Two workspaces may use the same ids at the same instant. */
const placeKey = ({ team, channel }: Thread): string => `${team}/${channel}`;
const inboxKey = ({ thread, ts }: InboxMessage): string => `m/${placeKey(thread)}/${ts}`;

export function createRuns(deps: RunsDeps): Runs & RunsAtWork {
  const { store, quick, waiting, cards, journalOf, step } = deps;
  const begin = createBeginning(deps);
  const lastWord = createLastWord(deps);
  /** Runs that this process has in hand. */
  const hot = new Map<RunId, { readonly journal: RunJournal; readonly hold: Hold; readonly thread: ThreadKey }>();

  const current = async (thread: ThreadKey): Promise<RunJournal | undefined> => {
    const { currentRun } = await quick.thread(thread);
    if (currentRun === undefined) return undefined;
    const journal = hot.get(currentRun)?.journal ?? deps.quickJournalOf(currentRun);
    await journal.refresh();
    return journal;
  };

  const letGoIfStopped = (run: RunId): void => {
    const inHand = hot.get(run);
    if (inHand?.journal.state()?.status.type === 'stopped') inHand.hold.letGo('cancelled');
  };

  /** A run that waits for nobody can be stopped as well. A failed look is made up for by the next one. */
  const lookIfStopped = (run: RunId, journal: RunJournal): void => {
    journal.refresh().then(
      () => letGoIfStopped(run),
      () => {},
    );
  };

  const drive = async (journal: RunJournal, thread: ThreadKey) => {
    const hold = createHold(deps.elapsed, () => deps.hold(thread));
    hot.set(journal.run, { journal, hold, thread });
    const rest = driveRun(deps, journal, hold).finally(() => hot.delete(journal.run));
    void lastWord(journal, rest);
    return rest;
  };

  /** What only a newer version of the bot reads is passed on. */
  const advance = async (thread: ThreadKey): Promise<Advanced> => {
    try {
      return await advanceReadable(thread);
    } catch (error) {
      if (error instanceof NewerJournalError) return { offerInMs: deps.refusals.refuse(error) };
      throw error;
    }
  };

  const advanceReadable = async (thread: ThreadKey): Promise<Advanced> => {
    const record = await store.thread(thread);
    const before = record.currentRun === undefined ? undefined : journalOf(record.currentRun);
    const state = await before?.refresh();
    // Nothing is loaded and nobody waits in memory for what people have in hand: whoever presses brings it up again.
    if (state !== undefined && waitsForPeople(state)) return (await rest(thread)) ? 'done' : 'again';
    const wasSettled = state !== undefined && isSettled(state);
    const end = before === undefined || wasSettled ? 'over' : await drive(before, thread);
    if (end === 'later' || typeof end === 'object') return end;
    if (end === 'parked') return (await rest(thread)) ? 'done' : 'again';
    const next = await begin(thread, before?.state());
    if (next !== undefined) return advanceReadable(thread);
    const over = before?.state();
    if (over !== undefined && !(await deps.surface.workEnds(over.thread))) {
      return (await store.thread(thread)).inbox.length > 0 ? 'again' : 'later';
    }
    return (await restWhenOver(thread, over)) ? 'done' : 'again';
  };

  /** What arrived since this was read makes the answer no. */
  const restWhenOver = async (thread: ThreadKey, state: RunState | undefined): Promise<boolean> => {
    const { currentRun, inbox } = await store.thread(thread);
    // Another process has begun the next run, and goes on with it.
    if (currentRun !== state?.run) return true;
    if (inbox.length > 0) return false;
    return store.restTodo({ thread, run: currentRun, version: state?.version ?? 0, inboxLength: 0 });
  };

  /** Messages that arrive now are heard when the question is answered. */
  const rest = async (thread: ThreadKey): Promise<boolean> => {
    try {
      return await restReadable(thread);
    } catch (error) {
      if (!(error instanceof NewerJournalError)) throw error;
      // Whoever waits here for an answer learns that it will not come here.
      for (const [run, inHand] of hot) if (inHand.thread === thread) void waiting.look(run);
      return false;
    }
  };

  const restReadable = async (thread: ThreadKey): Promise<boolean> => {
    const inHand = [...hot.values()].find((run) => run.thread === thread);
    if (inHand !== undefined && inHand.hold.waitingSinceMs() === undefined) return false;
    const { currentRun, inbox } = await store.thread(thread);
    if (currentRun === undefined) return false;
    const state = await (inHand?.journal ?? journalOf(currentRun)).refresh();
    if (state?.run !== currentRun || !waitsForPeople(state)) {
      void waiting.look(currentRun);
      return false;
    }
    return store.restTodo({ thread, run: currentRun, version: state.version, inboxLength: inbox.length });
  };

  return {
    advance,
    rest,
    onHint: ({ run, thread }) => {
      const inHand = hot.get(run);
      if (inHand === undefined) return;
      // Before the grace is over: nobody else is to take what this process is awake for.
      deps.hold(thread).catch(() => {});
      void waiting.look(run);
      lookIfStopped(run, inHand.journal);
    },
    onGap: () => {
      void waiting.lookAtAll();
      for (const [run, { journal }] of hot) lookIfStopped(run, journal);
    },
    parkWaiting: (longerThanMs) => {
      const nowMs = deps.elapsed();
      const waits = [...hot.values()].flatMap(({ hold }) => {
        const sinceMs = hold.waitingSinceMs();
        return sinceMs === undefined ? [] : [{ hold, sinceMs }];
      });
      const oldest = waits.sort((one, other) => one.sinceMs - other.sinceMs);
      for (const [at, { hold, sinceMs }] of oldest.entries()) {
        if (nowMs - sinceMs > longerThanMs || at < oldest.length - LIMITS.hotRuns) hold.letGo('parked');
      }
    },
    parkAll: () => {
      for (const { hold } of hot.values()) hold.letGoSoon();
    },

    take: async (message) => {
      const thread = threadKey(message.thread);
      const taken = await quick.take({ key: inboxKey(message), thread, item: JSON.stringify(message) });
      if (taken === 'seen') return taken;
      await step('delivery-stored');
      deps.kick(thread);
      return taken;
    },
    once: async (thread, key) =>
      (await quick.take({ key: `o/${placeKey(thread)}/${key}`, thread: threadKey(thread) })) === 'taken',
    knows: async (thread) => {
      const { currentRun, inbox } = await quick.thread(threadKey(thread));
      return currentRun !== undefined || inbox.length > 0;
    },
    standing: async (thread) => {
      const journal = await current(threadKey(thread)).catch((error: unknown) => {
        if (error instanceof NewerJournalError) return 'newer' as const;
        throw error;
      });
      // Whoever reads it has it in hand, and hears what is said as well.
      if (journal === 'newer') return 'working';
      const state = journal?.state();
      if (state?.status.type !== 'running') return 'idle';
      return asksPeople(state) ? 'waiting' : 'working';
    },
    keeps: async (message) => {
      const { inbox } = await quick.thread(threadKey(message.thread));
      return inbox.some(({ key }) => key === inboxKey(message));
    },
    stop: async (thread, by, said) => {
      const journal = await current(threadKey(thread));
      const committed = await journal?.commit((state) =>
        state === undefined || beganAfter(state, said)
          ? { entries: [], result: 'over' as const }
          : decideStop(state, { cause: WORDS.runStopped, by }),
      );
      if (journal === undefined || committed?.type !== 'done' || committed.result === 'over') return 'nothing-runs';
      await step('run-stopped');
      letGoIfStopped(journal.run);
      deps.kick(threadKey(thread));
      await cards.settle(journal);
      return 'stopped';
    },
  };
}
