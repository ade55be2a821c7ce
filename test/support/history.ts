import { systemClock } from '../../app/clock.ts';
import { type Entry, EntryBody } from '../../app/journal/entries.ts';
import { readLine } from '../../app/journal/line.ts';
import { type RunId, threadKey } from '../../app/records.ts';
import { openStore } from '../../app/store/open.ts';
import type { Store } from '../../app/store/store.ts';
import { TEAM } from '../../sandbox/people.ts';
import type { Message } from '../../sandbox/records.ts';
import { type Stage, type Witnessed, witnessed } from './bot.ts';

/** What is left of one thread when every bot is dead: what is stored, and what those outside of the bot saw. */
export interface History {
  /** Oldest first. */
  readonly runs: readonly StoredRun[];
  /** Messages that are in no journal yet. */
  readonly inbox: readonly string[];
  /** As the thread stands in Slack, people's own messages included. */
  readonly messages: readonly Message[];
  /** What the tools wrote down themselves. */
  readonly begun: readonly Witnessed[];
  readonly done: readonly Witnessed[];
  readonly modelRequests: number;
}

export interface StoredRun {
  readonly run: RunId;
  /** Line by line, as it is stored. */
  readonly lines: readonly string[];
  readonly entries: readonly Entry[];
}

/** On the embedded store only while no bot runs: it is for one process. Several threads are read as one. */
export async function historyOf(stage: Stage, ...roots: readonly Message[]): Promise<History> {
  const stored = await readStored(stage, roots);
  return {
    ...stored,
    messages: roots.flatMap((root) => stage.world.messages(root)),
    begun: witnessed(stage, 'begun'),
    done: witnessed(stage, 'done'),
    modelRequests: stage.sandbox.model.requests.length,
  };
}

type Stored = Pick<History, 'runs' | 'inbox'>;

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

function readStored(stage: Stage, roots: readonly Message[]): Promise<Stored> {
  return withStore(stage, async (store) => {
    const threads = await Promise.all(roots.map((root) => readThread(store, root)));
    return { runs: threads.flatMap(({ runs }) => runs), inbox: threads.flatMap(({ inbox }) => inbox) };
  });
}

async function withStore<Result>(stage: Stage, read: (store: Store) => Promise<Result>): Promise<Result> {
  const { dataDir, redisUrl } = stage;
  const store = await openStore({ dataDir, clock: systemClock, log: SILENT, ...(redisUrl ? { redisUrl } : {}) });
  try {
    // Hundreds of threads are read at once, and nobody waits for an answer.
    return await read(store.steady);
  } finally {
    await store.close();
  }
}

export async function readThread(store: Store, root: Message): Promise<Stored> {
  const thread = threadKey({ team: TEAM, channel: root.channel, ts: root.ts });
  const { currentRun, inbox } = await store.thread(thread);
  const runs: StoredRun[] = [];
  for (let run = currentRun; run !== undefined; ) {
    const lines = (await store.read(run)).entries.map(({ text }) => text);
    const entries = lines.map((line) => readLine(EntryBody, line).entry);
    runs.unshift({ run, lines, entries });
    const [first] = entries;
    run = first?.type === 'run-started' ? first.previous : undefined;
  }
  return { runs, inbox: inbox.map(({ key }) => key) };
}

const quiet = () => {};
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };
