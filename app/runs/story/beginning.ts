import { type BodyOf, type RunState, type RunUsage, usageSoFar } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import type { RunJournal, Seals } from '../../recorder/index.ts';
import { type RunId, type Thread, type ThreadKey, threadKey } from '../../records/index.ts';
import type { AtStep } from '../../step.ts';
import type { Store, ThreadRecord } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import { firstPortion, type HeardMessage, hearAll, personSaid, readInbox } from './new-messages.ts';
import { sessionBegunBy } from './session.ts';

export interface WriteBeginningDeps {
  readonly journalOf: (run: RunId) => RunJournal;
  /** Gives the same id for the same thread and message, so that two processes start one run. */
  readonly runIdFor: (thread: ThreadKey, firstMessage: string) => RunId;
  readonly seals: Seals;
  readonly step: AtStep;
  readonly log: Log;
}

export interface BeginningDeps extends WriteBeginningDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly surface: Pick<Surface, 'status' | 'readFile'>;
}

/**
 * Starts a run from the inbox of a thread; `undefined` when there is none to start. Messages that do not fit into the
 * first append join the run before the model is asked.
 */
export type Begin = (
  thread: ThreadKey,
  previous: RunState | undefined,
  /** The thread as it was read just now. Absent: it is read. */
  record?: ThreadRecord,
) => Promise<RunJournal | undefined>;

export function createBeginning({ store, surface, ...deps }: BeginningDeps): Begin {
  const write = createWriteBeginning(deps);
  return async (thread, previous, record) => {
    const { currentRun, inbox } = record ?? (await store.thread(thread));
    // Another process has begun a run from this inbox. The messages that are left join that run.
    if (currentRun !== previous?.run) return undefined;
    const messages = firstPortion(readInbox(inbox));
    const [named, first] = [inbox[0], messages[0]];
    if (named === undefined || first === undefined) return undefined;
    await deps.step('thread-taken');
    // Reading files takes long, so the thread shows meanwhile that the agent works.
    if (messages.some(({ message }) => message.files !== undefined)) {
      const session = previous === undefined ? sessionBegunBy(first.message) : undefined;
      await surface.status(first.message.thread, 'processing', session);
    }
    const heard = await hearAll(surface, messages);
    return write({ thread: first.message.thread, previous, named: named.key }, heard);
  };
}

export interface BegunRun {
  readonly thread: Thread;
  readonly previous: RunState | undefined;
  /** The key of the message that arrived first. */
  readonly named: string;
}

/** Writes the first entries of a run, in one append. With `stopped`, the run is over in the same one. */
export function createWriteBeginning({ journalOf, runIdFor, seals, step, log }: WriteBeginningDeps) {
  return async (
    { thread, previous, named }: BegunRun,
    heard: readonly HeardMessage[],
    stopped: readonly BodyOf<'run-stopped'>[] = [],
  ): Promise<RunJournal | undefined> => {
    const [first] = heard;
    if (first === undefined) return undefined;
    const journal = journalOf(runIdFor(threadKey(thread), named));
    const started = {
      type: 'run-started' as const,
      run: journal.run,
      thread,
      requester: first.user,
      ...(previous === undefined ? {} : { previous: previous.run, ...earlierOf(previous) }),
    };
    const begun = await seals.start(journal, thread, (state) => {
      // Another process has begun it since the inbox was read, and goes on with it.
      if (state !== undefined) return { entries: [], result: false };
      const said = heard.map(personSaid);
      return { entries: [started, ...said, ...stopped], items: heard.map(({ item }) => item), result: true };
    });
    if (begun === 'late') log.warn('A run did not begin: its messages are not in the inbox any more.', { thread });
    // What a person stopped before it began is in no hands, and owes the thread a word.
    if (begun !== true) return journal.state()?.status.type === 'stopped' ? journal : undefined;
    await step('run-started');
    return journal;
  };
}

/** The usage of all runs before, only where it is complete: a partial sum would be taken for the whole. */
function earlierOf(previous: RunState): { readonly earlier?: RunUsage } {
  const known = previous.previous === undefined || previous.earlier !== undefined;
  return known ? { earlier: usageSoFar(previous) } : {};
}
