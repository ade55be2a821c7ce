import { NewerJournalError, type RunState } from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { PressRefusals, RunJournal } from '../../recorder/index.ts';
import type { ThreadKey } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import type { Advanced } from '../../work/index.ts';
import { createLastWord } from '../telling/last-word.ts';
import { type BeginningDeps, createBeginning } from './beginning.ts';
import { type DriveDeps, driveRun } from './drive.ts';
import { createHold } from './hold.ts';
import type { RunInHand, RunsInHand } from './in-hand.ts';
import { isSettled, waitsForPeople } from './left-to-do.ts';

/** How the runs of a thread go on in this process. */
export interface Advancing {
  /** As far as it goes. */
  readonly advance: (thread: ThreadKey) => Promise<Advanced>;
  /** Takes a thread out of `todo` while people have all of it in hand; `false` when they have not, and whoever waits here looks. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
}

export interface AdvancingDeps extends DriveDeps, Omit<BeginningDeps, 'surface'> {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly refusals: PressRefusals;
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly elapsed: () => number;
}

export function createAdvancing(deps: AdvancingDeps, inHand: RunsInHand): Advancing {
  const { store, journalOf } = deps;
  const begin = createBeginning(deps);
  const lastWord = createLastWord(deps);
  const rest = createRest(deps, inHand);

  const drive = async (journal: RunJournal, thread: ThreadKey) => {
    const run: RunInHand = { journal, thread, ...createHold(deps.elapsed, () => deps.hold(thread)) };
    inHand.set(journal.run, run);
    const rest = driveRun(deps, run).finally(() => inHand.delete(journal.run));
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

  return { advance, rest };
}

/** Messages that arrive now are heard when the question is answered. */
function createRest({ store, waiting, journalOf }: AdvancingDeps, inHand: RunsInHand): Advancing['rest'] {
  const restReadable = async (thread: ThreadKey): Promise<boolean> => {
    const found = [...inHand.values()].find((run) => run.thread === thread);
    if (found !== undefined && found.waitingSinceMs() === undefined) return false;
    const { currentRun, inbox } = await store.thread(thread);
    if (currentRun === undefined) return false;
    const state = await (found?.journal ?? journalOf(currentRun)).refresh();
    if (state?.run !== currentRun || !waitsForPeople(state)) {
      void waiting.look(currentRun);
      return false;
    }
    return store.restTodo({ thread, run: currentRun, version: state.version, inboxLength: inbox.length });
  };

  return async (thread) => {
    try {
      return await restReadable(thread);
    } catch (error) {
      if (!(error instanceof NewerJournalError)) throw error;
      // Whoever waits here for an answer learns that it will not come here.
      for (const [run, found] of inHand) if (found.thread === thread) void waiting.look(run);
      return false;
    }
  };
}
