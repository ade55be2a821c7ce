import { systemClock } from '../../app/clock.ts';
import { type Entry, EntryBody } from '../../app/journal/facts/entries.ts';
import { readLine } from '../../app/journal/line/line.ts';
import { verify } from '../../app/keeping/audit/verify.ts';
import { endOf } from '../../app/recorder/index.ts';
import { type RunId, type ThreadKey, threadKey } from '../../app/records/index.ts';
import { openStore } from '../../app/store/open.ts';
import type { Store } from '../../app/store/store.ts';
import { TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Stage, type Witnessed, witnessed } from './bot.ts';
import { type Scheduled, scheduledIn } from './scheduled.ts';

/** What is left of one thread when every bot is dead: what is stored, and what those outside of the bot saw. */
export interface History {
  /** Oldest first. */
  readonly runs: readonly StoredRun[];
  /** Messages that are in no journal yet. */
  readonly inbox: readonly string[];
  readonly threads: readonly StoredThread[];
  /** As the thread stands in Slack, people's own messages included. */
  readonly messages: readonly SlackMessage[];
  /** What the tools wrote down themselves. */
  readonly begun: readonly Witnessed[];
  readonly done: readonly Witnessed[];
  readonly modelRequests: number;
}

export interface StoredThread {
  readonly thread: ThreadKey;
  readonly currentRun: RunId | undefined;
  readonly inbox: readonly string[];
  /** What was scheduled while all of the rest stood as it is here; absent: bots went on with it each time it was read. */
  readonly scheduled?: Scheduled;
}

export interface StoredRun {
  readonly run: RunId;
  /** Line by line, as it is stored. */
  readonly lines: readonly string[];
  readonly entries: readonly Entry[];
}

/** On the embedded store only while no bot runs: it is for one process. Several threads are read as one. */
export async function historyOf(stage: Stage, ...roots: readonly SlackMessage[]): Promise<History> {
  const stored = await readStored(stage, roots);
  return {
    ...stored,
    messages: roots.flatMap((root) => stage.world.messages(root)),
    begun: witnessed(stage, 'begun'),
    done: witnessed(stage, 'done'),
    modelRequests: stage.sandbox.model.requests.length,
  };
}

type Stored = Pick<History, 'runs' | 'inbox' | 'threads'>;

/** Every line that is stored, of whatever journal, as `name position` and the text. When, as with `historyOf`. */
export function linesOf(stage: Stage): Promise<ReadonlyMap<string, string>> {
  return withStore(stage, async (store) => {
    const names = [
      ...(await store.journals('run')),
      ...(await store.journals('grant')),
      ...(await store.journals('workspace')),
    ];
    const lines = new Map<string, string>();
    for (const name of names) {
      for (const [at, { text }] of (await store.read(name)).entries.entries()) lines.set(`${name} ${at}`, text);
    }
    return lines;
  });
}

/** What `verify` finds in the store of this stage. When, as with `historyOf`. */
export function auditOf(stage: Stage): Promise<readonly string[]> {
  return withStore(stage, async (store) => (await verify(store)).findings);
}

function readStored(stage: Stage, roots: readonly SlackMessage[]): Promise<Stored> {
  return withStore(stage, async (store) => {
    return readThreads(store, roots, () => scheduledIn(stage, store.shards));
  });
}

/** A run that is at work when it is read for the last time is not judged by what is scheduled. */
const MOST_LOOKS = 5;

/**
 * Journals and lists cannot be read in one step, and a bot may write in between: what is scheduled is believed of those
 * threads only that are the same before and after it was read.
 */
export async function readThreads(
  store: Store,
  roots: readonly SlackMessage[],
  scheduled: () => Promise<Scheduled>,
): Promise<Stored> {
  const found = new Map<SlackMessage, ReadThread>();
  let open = roots;
  for (let looks = 0; looks < MOST_LOOKS && open.length > 0; looks += 1) {
    const read = await Promise.all(open.map(async (root) => [root, await readThread(store, root)] as const));
    const now = await scheduled();
    const after = await Promise.all(read.map(([, { thread }]) => standingOf(store, thread)));
    for (const [at, [root, one]] of read.entries()) {
      const same = after[at] === standingIn(one);
      found.set(root, same ? { ...one, thread: { ...one.thread, scheduled: now } } : one);
    }
    open = open.filter((root) => found.get(root)?.thread.scheduled === undefined);
  }
  const all = roots.flatMap((root) => found.get(root) ?? []);
  return {
    runs: all.flatMap(({ runs }) => runs),
    inbox: all.flatMap(({ thread }) => thread.inbox),
    threads: all.map(({ thread }) => thread),
  };
}

/** How far a thread is, in one word. */
async function standingOf(store: Store, { thread }: StoredThread): Promise<string> {
  const { currentRun, inbox } = await store.thread(thread);
  const version = currentRun === undefined ? 0 : (await endOf(store, currentRun)).version;
  return JSON.stringify([currentRun, version, inbox.map(({ key }) => key)]);
}

function standingIn({ thread: { currentRun, inbox }, runs }: ReadThread): string {
  return JSON.stringify([currentRun, runs.at(-1)?.lines.length ?? 0, inbox]);
}

async function withStore<Result>(stage: Stage, read: (store: Store) => Promise<Result>): Promise<Result> {
  const { dataDir, redisUrl } = stage;
  const store = await openStore({ dataDir, clock: systemClock, log: SILENT, ...(redisUrl ? { redisUrl } : {}) });
  try {
    // Hundreds of threads are read at once, and nobody waits for an answer.
    return await read(store.patient);
  } finally {
    await store.close();
  }
}

interface ReadThread {
  readonly thread: StoredThread;
  readonly runs: readonly StoredRun[];
}

export async function readThread(store: Store, root: SlackMessage): Promise<ReadThread> {
  const thread = threadKey({ team: TEAM, channel: root.channel, ts: root.ts });
  const { currentRun, inbox } = await store.thread(thread);
  const runs: StoredRun[] = [];
  for (let run = currentRun; run !== undefined; ) {
    const one = await readRun(store, run);
    runs.unshift(one);
    const [first] = one.entries;
    run = first?.type === 'run-started' ? first.previous : undefined;
  }
  return { runs, thread: { thread, currentRun, inbox: inbox.map(({ key }) => key) } };
}

export async function readRun(store: Pick<Store, 'read'>, run: RunId): Promise<StoredRun> {
  const lines = (await store.read(run)).entries.map(({ text }) => text);
  return { run, lines, entries: lines.map((line) => readLine(EntryBody, line).entry) };
}

const quiet = () => {};
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };
