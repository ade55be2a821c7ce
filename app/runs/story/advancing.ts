import { type RunState, unlessNewer } from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { LeaveToNewer, RunJournal } from '../../recorder/index.ts';
import { type Thread, type ThreadKey, threadKey } from '../../records/index.ts';
import type { Store, ThreadRecord } from '../../store/index.ts';
import type { ThreadOutcome } from '../../work/index.ts';
import { createSettingAside } from '../aside.ts';
import { createLastWord } from '../telling/last-word.ts';
import { type BeginningDeps, createBeginning } from './beginning.ts';
import { type DriveDeps, driveRun } from './drive.ts';
import { createHold } from './hold.ts';
import { parkTooMany, type RunInHand, type RunsInHand } from './in-hand.ts';
import { isSettled, waitsForPeople } from './left-to-do.ts';

/** How the runs of a thread go on in this process. */
export interface Advancing {
  /** Goes on with the thread until this process can do nothing more for it. */
  readonly advance: (thread: ThreadKey, onRest?: () => void) => Promise<ThreadOutcome>;
  /** Removes a thread from `todo` while only people can move it on. Returns `false` otherwise, and wakes local waiters. */
  readonly rest: (thread: ThreadKey) => Promise<boolean>;
  /** Tells the thread that processes died of it, and lets no process advance it until a person says so. */
  readonly setAside: (thread: ThreadKey, by: string) => Promise<void>;
}

export interface AdvancingDeps extends DriveDeps, Omit<BeginningDeps, 'surface'> {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly leaveToNewer: LeaveToNewer;
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly elapsed: () => number;
}

export function createAdvancing(deps: AdvancingDeps, inHand: RunsInHand): Advancing {
  const { store, journalOf } = deps;
  const begin = createBeginning(deps);
  const lastWord = createLastWord(deps);
  const rest = createRest(deps, inHand);
  const untilIdle = createUntilIdle(deps);
  const { setAside, tellLeft } = createSettingAside({ ...deps, lastWord, untilIdle });

  const drive = async (journal: RunJournal, thread: ThreadKey) => {
    const resumes = () => deps.hold(thread);
    const run: RunInHand = { journal, thread, ...createHold(deps.elapsed, resumes, () => parkTooMany(inHand)) };
    inHand.set(journal.run, run);
    const rest = driveRun(deps, run).finally(() => inHand.delete(journal.run));
    void lastWord.ofRun(journal, rest);
    return rest;
  };

  /** Leaves a thread to other processes when only a newer version of the bot can read its journal. */
  const advance: Advancing['advance'] = (thread, onRest) =>
    unlessNewer(
      () => advanceReadable(thread, onRest),
      (error) => ({ offerInMs: deps.leaveToNewer(error) }),
    );

  const advanceReadable: Advancing['advance'] = async (thread, onRest) => {
    const record = await store.thread(thread, 1);
    if (record.aside === 'left') return tellLeft(thread);
    const current = record.currentRun === undefined ? undefined : journalOf(record.currentRun);
    const state = await current?.refresh();
    // Only people can move this run on. It is not loaded: the press that answers it puts the thread back into `todo`.
    if (current !== undefined && state !== undefined && waitsForPeople(state) && !current.wasSetBack())
      return restAndForget(thread, current);
    const isOver = current === undefined || (state !== undefined && isSettled(state));
    // While the current run was read, another process may have brought messages of this inbox into it.
    const isWhole = current === undefined && record.inboxLength <= 1;
    const next = isOver ? await begin(thread, state, isWhole ? record : undefined) : current;
    return next === undefined ? restWhenOver(thread, state, onRest) : driveOn(thread, next, onRest);
  };

  /** A wait may take days. The press that ends it reads the journal again. */
  const restAndForget = async (thread: ThreadKey, journal: RunJournal): Promise<ThreadOutcome> => {
    const rests = await rest(thread);
    journal.forget();
    return rests ? 'done' : 'again';
  };

  /** Drives a run to its end. A thread whose inbox begins a next run does not rest. */
  const driveOn = async (thread: ThreadKey, journal: RunJournal, onRest?: () => void): Promise<ThreadOutcome> => {
    const place = journal.state()?.thread;
    const end = await drive(journal, thread);
    // Nothing is left in an emptied store that would end the status of this thread later.
    const isEmptied = end === 'later' && journal.wasSetBack() && (await journal.refresh()) === undefined;
    if (isEmptied && place !== undefined) await deps.surface.workEnds(place);
    if (end === 'later' || typeof end === 'object') return end;
    return end === 'parked' ? restAndForget(thread, journal) : restWhenOver(thread, journal.state(), onRest);
  };

  /** Removes a thread whose run is over from `todo`, unless a message has arrived meanwhile. */
  const restWhenOver = async (
    thread: ThreadKey,
    state: RunState | undefined,
    onRest?: () => void,
  ): Promise<ThreadOutcome> => {
    const offerInMs = state === undefined ? undefined : await untilIdle(state.thread);
    if (offerInMs === undefined) {
      onRest?.();
      if (await store.restTodo({ thread, run: state?.run, version: state?.version ?? 0, inboxLength: 0 }))
        return 'done';
    }
    const record = await store.thread(thread, 1);
    // Another process may have begun the next run, and goes on with it.
    if (record.currentRun !== state?.run) return 'done';
    await takeUpAgain(store, thread, record);
    return offerInMs === undefined || record.inboxLength > 0 ? 'again' : { offerInMs };
  };

  return { advance, rest, setAside };
}

/** When to come back to a thread that still looks busy. `undefined` when it does not, or has for too long. */
function createUntilIdle({ surface, retries }: AdvancingDeps) {
  return async (thread: Thread): Promise<number | undefined> => {
    const failing = `idle:${threadKey(thread)}`;
    if (!(await surface.workEnds(thread))) return retries.next(failing);
    retries.done(failing);
    return undefined;
  };
}

/** Another process has set the thread aside, because this one stood still. It lives, and its run has come to rest. */
async function takeUpAgain(store: Store, thread: ThreadKey, { aside }: ThreadRecord): Promise<void> {
  if (aside !== undefined) await store.takeUp(thread, 0);
}

/** Messages that arrive meanwhile join the run once its question is answered. */
function createRest({ store, waiting, journalOf }: AdvancingDeps, inHand: RunsInHand): Advancing['rest'] {
  const restReadable = async (thread: ThreadKey): Promise<boolean> => {
    const found = [...inHand.values()].find((run) => run.thread === thread);
    if (found !== undefined && found.waitingSinceMs() === undefined) return false;
    const record = await store.thread(thread, 1);
    const { currentRun, inboxLength } = record;
    if (currentRun === undefined) return false;
    const state = await (found?.journal ?? journalOf(currentRun)).refresh();
    if (state?.run !== currentRun || !waitsForPeople(state)) {
      void waiting.look(currentRun);
      return false;
    }
    await takeUpAgain(store, thread, record);
    return store.restTodo({ thread, run: currentRun, version: state.version, inboxLength });
  };

  return (thread) =>
    unlessNewer(
      () => restReadable(thread),
      () => {
        // The thread stays in `todo`. The waiters in this process have to learn that the answer will not reach them here.
        for (const [run, found] of inHand) if (found.thread === thread) void waiting.look(run);
        return false;
      },
    );
}
