import { decideStop, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Cards } from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type RunId, type Thread, threadKey, type UserId } from '../records/index.ts';
import type { ThreadRecord } from '../store/index.ts';
import { type AsideDeps, isAside, type WhileAside } from './aside.ts';
import { createWriteBeginning, type WriteBeginningDeps } from './story/beginning.ts';
import { letGoIfStopped, type RunsInHand } from './story/in-hand.ts';
import { beganAfter, isSettled } from './story/left-to-do.ts';
import { type HeardMessage, hearStopped, isAfter, joining, readInbox } from './story/new-messages.ts';
import { WORDS } from './telling/words.ts';

export interface StoppingDeps extends AsideDeps, Omit<WriteBeginningDeps, 'journalOf'> {
  /** Fails fast instead of waiting through an outage, because the callers wait for an answer. */
  readonly failFast: AsideDeps['failFast'];
  readonly failFastJournalOf: (run: RunId) => RunJournal;
  readonly cards: Cards;
}

interface Stopping {
  readonly thread: Thread;
  readonly by: UserId;
  readonly said: string | undefined;
  /** Only this run is meant. Where it is over, what waits is left for the next run. */
  readonly only?: RunId | undefined;
}

type Stopped = 'stopped' | 'nothing-runs';

/** Stops what runs in a thread together with what waits in its inbox, which would begin the next run. */
export function createStop(deps: StoppingDeps, inHand: RunsInHand, whileAside: WhileAside) {
  const { failFast, failFastJournalOf, cards, step } = deps;
  const begin = createWriteBeginning({ ...deps, journalOf: failFastJournalOf });

  /** Writes what waits into the run of the thread, or into one that begins for it and is over. */
  const stopRun = async (record: ThreadRecord, about: Stopping): Promise<Stopped | 'began-later'> => {
    const { thread, by, said, only } = about;
    const waiting = record.inbox.filter(({ key }) => !isAfter(key, said));
    const messages = await hearStopped(readInbox(waiting.slice(0, LIMITS.messagesAtOnce)));
    const journal = await currentJournal(deps, inHand, record);
    const committed = await journal?.decide(
      (state) =>
        beganAfter(state, said) ? { entries: [], result: 'began-later' as const } : stopWith(state, messages, about),
      'over',
    );
    if (committed === 'began-later') return committed;
    if (committed === 'stopped' && journal !== undefined) return isStopped(journal, about, waiting);
    const previous = journal?.state();
    const isOver = previous?.run === record.currentRun && (previous === undefined || isSettled(previous));
    const [named] = waiting;
    // Every process names the next run after the message that arrived first, so that only one of them begins it.
    if (only !== undefined || !isOver || named === undefined || named !== record.inbox[0]) return 'nothing-runs';
    const begun = await begin({ thread, previous, named: named.key }, messages, [runStopped(by)]);
    // Another process was faster.
    return begun === undefined ? stopRunAgain(about) : isStopped(begun, about, waiting);
  };

  /** Also where the thread is set aside: the caller has begun to stop it. */
  const stopRunAgain = async (about: Stopping) => stopRun(await failFast.thread(threadKey(about.thread)), about);

  const isStopped = async (
    journal: RunJournal,
    about: Stopping,
    waiting: ThreadRecord['inbox'],
  ): Promise<'stopped'> => {
    await step('run-stopped');
    letGoIfStopped(inHand, journal.run);
    deps.kick(threadKey(about.thread));
    await cards.settle(journal);
    if (waiting.length > LIMITS.messagesAtOnce) await stopRunAgain({ ...about, only: undefined });
    return 'stopped';
  };

  /** What a thread waits with whose run is over is the message of the next one. */
  const isOverAside = async ({ thread }: Stopping, record: ThreadRecord) =>
    isAside(record) && whileAside.isOver(thread);

  const stopNow = async (about: Stopping): Promise<Stopped> => {
    const record = await failFast.thread(threadKey(about.thread));
    if (about.only !== undefined && (about.only !== record.currentRun || (await isOverAside(about, record))))
      return 'nothing-runs';
    if (!isAside(record)) return (await stopRun(record, about)) === 'stopped' ? 'stopped' : 'nothing-runs';
    const stopped = await whileAside.stop(about.thread, record, about.said, () => stopRun(record, about));
    return stopped === 'another-run' ? stopNow(about) : stopped;
  };

  return stopNow;
}

/** A run that is over and still owes something takes in what waits as well, and owes a word about it: no run begins before it is paid. */
function stopWith(state: RunState, messages: readonly HeardMessage[], { by, only }: Stopping) {
  const { entries, result } = decideStop(state, { cause: WORDS.runStopped, by });
  const { items, entries: joined } = joining(state, messages);
  if (result === 'stopped') return { entries: [...joined, ...entries], items, result };
  const [first, ...others] = joined;
  if (only !== undefined || isSettled(state) || first === undefined) return { entries: [], result };
  const owesWord = state.status.type === 'stopped' && !state.posted.has('stopped');
  const told = owesWord ? first : { ...first, unread: WORDS.stoppedUnread };
  return { entries: [told, ...others], items, result: 'stopped' as const };
}

const runStopped = (by: UserId) => ({ type: 'run-stopped' as const, cause: WORDS.runStopped, by });

/** The run of the thread, read anew. */
export async function currentJournal(
  { failFastJournalOf }: Pick<StoppingDeps, 'failFastJournalOf'>,
  inHand: RunsInHand,
  { currentRun }: Pick<ThreadRecord, 'currentRun'>,
): Promise<RunJournal | undefined> {
  if (currentRun === undefined) return undefined;
  const journal = inHand.get(currentRun)?.journal ?? failFastJournalOf(currentRun);
  await journal.refresh();
  return journal;
}
