import type { z } from 'zod';
import { given } from '../given.ts';
import {
  hashLine,
  NewerEntryError,
  NewerJournalError,
  NO_HEAD,
  readLine,
  type Stamp,
  writeLines,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { JournalName } from '../records/index.ts';
import type { AppendRequest, Effect, Store } from '../store/index.ts';
import { turnsOf } from '../time/index.ts';
import type { Folded, FoldedJournals } from './folded.ts';

/**
 * One journal as one process sees it: reads it, lets a pure function decide, appends, and decides again when somebody
 * else was faster. There is no other way to write a journal.
 */
export interface Recorder<State, Body> {
  /** As last read or written here; `undefined` while there is no such journal. */
  readonly state: () => State | undefined;
  /** Hash of the last line that was read or written here. */
  readonly head: () => string;
  /** The store's clock, as the last read told it, and what has passed since. */
  readonly nowMs: () => number;
  readonly refresh: () => Promise<State | undefined>;
  /**
   * Decides on the newest state and appends. `decide` may be called several times, so it must be pure. Commits of one
   * process to one journal happen one after the other, whichever recorder they come through.
   */
  readonly commit: <Result>(decide: Decide<State, Body, Result>) => Promise<Committed<Result>>;
  /** Commits to a journal that has begun. Where it has no entry yet, nothing is decided and `none` is the result. */
  readonly decide: <Result, const None>(
    decide: (state: State, nowMs: number) => Decided<Body, Result>,
    none: None,
  ) => Promise<Committed<Result | None>>;
}

export type Decide<State, Body, Result> = (state: State | undefined, nowMs: number) => Decided<Body, Result>;

interface Decided<Body, Result> {
  readonly entries: readonly Body[];
  readonly result: Result;
  /** For the end of the run's list of items. */
  readonly items?: readonly string[];
  readonly notAfterMs?: number;
}

export type Committed<Result> =
  | { readonly type: 'done'; readonly result: Result }
  /** By the store's clock it is later than the decision allows. */
  | { readonly type: 'late' };

export interface JournalKind<State, Body> {
  readonly schema: z.ZodType<Body>;
  readonly evolve: (state: State | undefined, entry: Body & Stamp) => State;
  /** Index changes that follow from the entries. */
  readonly effects: (state: State, entries: readonly Body[]) => readonly Effect[];
  /** Somebody acts on it as soon as it is written. */
  readonly weighs?: (entry: Body) => boolean;
  /** What this process keeps of such journals. */
  readonly folded?: FoldedJournals<State>;
}

export interface RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append'>;
  /** Unique among all writers, so that an append sent twice is known as the same. */
  readonly entryId: () => string;
  /** What passes between two moments; a clock that somebody may set would not tell. */
  readonly elapsed: () => number;
  /** Told of the index changes of each append that was written here. */
  readonly appended?: (effects: readonly Effect[]) => void;
}

export function createRecorder<State, Body extends object>(
  { store, entryId, elapsed, appended = () => {} }: RecorderDeps,
  journal: JournalName,
  kind: JournalKind<State, Body>,
): Recorder<State, Body> {
  const { known, learn, read, nowMs } = createReading({ store, elapsed }, journal, kind);
  let line: Promise<unknown> = Promise.resolve();

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = line.then(work);
    line = result.catch(() => {});
    return result;
  };

  const attempt = async <Result>(decide: Decide<State, Body, Result>): Promise<Committed<Result> | 'conflict'> => {
    const atMs = nowMs();
    const decided = decide(known().state, atMs);
    const { result } = decided;
    const written = prepare(kind, known(), decided, { entryId, atMs });
    if (written === undefined) return { type: 'done', result };
    const { next, append } = written;
    const answer = await store.append({ journal, ...append });
    switch (answer.type) {
      case 'ok':
      case 'already':
        learn(next);
        appended(append.effects);
        return { type: 'done', result };
      case 'conflict':
        return 'conflict';
      case 'late':
        return { type: 'late' };
    }
  };

  const commit = <Result>(decide: Decide<State, Body, Result>): Promise<Committed<Result>> =>
    inTurn(() =>
      turnsOf(store)(journal, async () => {
        if (known().version === 0) await read();
        for (let tries = 0; tries < LIMITS.appendAttempts; tries += 1) {
          const committed = await attempt(decide);
          if (committed !== 'conflict') return committed;
          await read();
        }
        throw new ContendedError(journal);
      }),
    );

  return {
    state: () => known().state,
    head: () => known().head(),
    nowMs,
    refresh: () => inTurn(read),
    commit,
    decide: (decide, none) =>
      commit<ReturnType<typeof decide>['result'] | typeof none>((state, atMs) =>
        state === undefined ? { entries: [], result: none } : decide(state, atMs),
      ),
  };
}

interface Reading<State> {
  /** As last read or written here. */
  readonly known: () => Folded<State>;
  readonly learn: (next: Folded<State>) => void;
  readonly read: () => Promise<State | undefined>;
  readonly nowMs: () => number;
}

/** Reads a journal from what is known of it, or else from what this process keeps of it. */
function createReading<State, Body extends object>(
  { store, elapsed }: Pick<RecorderDeps, 'store' | 'elapsed'>,
  journal: JournalName,
  kind: JournalKind<State, Body>,
): Reading<State> {
  const { folded } = kind;
  let known: Folded<State> = NOTHING;
  let aheadMs = 0;

  const learn = (next: Folded<State>): void => {
    known = next;
    if (next.version > 0) folded?.keep(journal, next);
  };

  const readFrom = async (version: number) => {
    const page = await store.read(journal, version);
    aheadMs = page.nowMs - elapsed();
    return page;
  };

  const read = async (): Promise<State | undefined> => {
    const kept = known.version === 0 ? folded?.of(journal) : undefined;
    const ahead = kept && goingOn(kind, journal, kept, await readFrom(kept.version - 1));
    if (ahead !== undefined) {
      learn(ahead);
      return known.state;
    }
    if (kept !== undefined) folded?.drop(journal);
    const page = await readFrom(known.version);
    if (page.version < known.version) {
      // What was built on it is gone with it: the next one to read begins anew.
      folded?.drop(journal);
      known = NOTHING;
      throw new SetBackError(journal);
    }
    learn(withLines(kind, journal, known, page.entries));
    return known.state;
  };

  return { known: () => known, learn, read, nowMs: () => Math.round(elapsed() + aheadMs) };
}

const NOTHING = { state: undefined, version: 0, head: () => NO_HEAD } as const;

interface Read {
  readonly entries: readonly { readonly text: string }[];
}

/** What a process keeps of a journal, and what came after it; nothing where the journal no longer has the last line of it. */
function goingOn<State, Body extends object>(
  kind: JournalKind<State, Body>,
  journal: JournalName,
  kept: Folded<State>,
  { entries: [last, ...later] }: Read,
): Folded<State> | undefined {
  if (last === undefined || hashLine(last.text) !== kept.head()) return undefined;
  return withLines(kind, journal, kept, later);
}

function withLines<State, Body extends object>(
  kind: JournalKind<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  lines: Read['entries'],
): Folded<State> {
  return lines.reduce((so, { text }) => withLine(kind, journal, so, text), known);
}

/** The journal with one more line that was read. */
function withLine<State, Body extends object>(
  kind: JournalKind<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  text: string,
): Folded<State> {
  const entry = readEntry(kind, journal, text);
  return { state: kind.evolve(known.state, entry), version: known.version + 1, head: () => hashLine(text) };
}

function readEntry<State, Body>(kind: JournalKind<State, Body>, journal: JournalName, text: string): Body & Stamp {
  try {
    return readLine(kind.schema, text).entry;
  } catch (error) {
    throw error instanceof NewerEntryError ? new NewerJournalError(journal, error) : error;
  }
}

/** What to append for a decision, and the journal as it is then; `undefined` when nothing is to be written. */
function prepare<State, Body extends object>(
  kind: JournalKind<State, Body>,
  known: Folded<State>,
  { entries, items, notAfterMs }: Omit<Decided<Body, unknown>, 'result'>,
  { entryId, atMs }: { readonly entryId: () => string; readonly atMs: number },
): { readonly append: Omit<AppendRequest, 'journal'>; readonly next: Folded<State> } | undefined {
  if (entries.length === 0) return undefined;
  const stamped = entries.map((body) => ({ ...body, id: entryId(), atMs }));
  const { lines, head } = writeLines(stamped, known.head());
  const state = stamped.reduce<State | undefined>((before, entry) => kind.evolve(before, entry), known.state);
  if (state === undefined) return undefined;
  const append = {
    expectedVersion: known.version,
    entries: lines,
    effects: kind.effects(state, entries),
    ...given({ items }),
    ...(entries.some((entry) => kind.weighs?.(entry)) ? { weighty: true } : {}),
    ...given({ notAfterMs }),
  };
  return { append, next: { state, version: known.version + entries.length, head: () => head } };
}

/** The store has lost what it had said was written: it was restored, or a replica that lagged behind took over. */
export class SetBackError extends Error {
  override readonly name = 'SetBackError';

  constructor(journal: JournalName) {
    super(`Journal ${journal} is shorter than it was: the store was set back. It is read anew and goes on from there.`);
  }
}

/** So many writers at once that none of our tries was the first. Nothing was written. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';

  constructor(journal: JournalName) {
    super(`Could not write to journal ${journal}: others were faster ${LIMITS.appendAttempts} times. Try again.`);
  }
}
