import type { z } from 'zod';
import { findBreak, hashLine, NewerEntryError, NewerJournalError, readLine, type Stamp } from '../journal/index.ts';
import type { JournalName } from '../records/index.ts';
import type { JournalPage, Store } from '../store/index.ts';
import { type Folded, type FoldedJournals, nothingFolded } from './folded.ts';

/** How the entries of a journal are read and folded. */
export interface Folding<State, Body> {
  readonly schema: z.ZodType<Body>;
  readonly evolve: (state: State | undefined, entry: Body & Stamp) => State;
  /** The folds of such journals that this process keeps. */
  readonly folded?: FoldedJournals<State>;
  /** Whether nothing can follow that matters to later runs. Absent: never. */
  readonly isOver?: (state: State, nowMs: number) => boolean;
}

/** The time of a store: as of its last answer to this process, plus the time elapsed since. */
export interface StoreTime {
  readonly nowMs: () => number;
  readonly learn: (nowMs: number) => void;
  /** Whether the store has told its time. */
  readonly isKnown: () => boolean;
}

export interface ReadingDeps {
  readonly store: Pick<Store, 'read'>;
  /** A monotonic clock, in milliseconds. A clock that can be set would give wrong intervals. */
  readonly elapsed: () => number;
  /** Shared by the recorders of one store. Absent: each learns the time by itself. */
  readonly storeTime?: StoreTime;
  /** True where no other process writes: then the kept fold of a journal has all that is in it. */
  readonly isAlone?: boolean;
}

/** How many entries a journal has, and the store's time. No entry is read. */
export async function endOf(
  store: Pick<Store, 'read'>,
  journal: JournalName,
): Promise<Pick<JournalPage, 'version' | 'nowMs'>> {
  return store.read(journal, Number.MAX_SAFE_INTEGER);
}

export function createStoreTime({ elapsed }: Pick<ReadingDeps, 'elapsed'>): StoreTime {
  let aheadMs: number | undefined;
  return {
    nowMs: () => Math.round(elapsed() + (aheadMs ?? 0)),
    learn: (nowMs) => {
      aheadMs = nowMs - elapsed();
    },
    isKnown: () => aheadMs !== undefined,
  };
}

interface JournalReading<State> {
  /** The journal as it was last read, written or recalled here. */
  readonly known: () => Folded<State>;
  /** Goes on from the kept fold. Answers whether there is one, or this recorder has read the journal before. */
  readonly recall: () => boolean;
  /** Frees the kept fold. What this recorder reads from now on is kept only if another one began to keep it again. */
  readonly forget: () => void;
  /** Whether what is known here is all that is in the journal, or all up to this version. */
  readonly isUpToDate: (version?: number) => boolean;
  /** Whether this recorder has read or written the journal. */
  readonly isTold: () => boolean;
  readonly learn: (next: Folded<State>) => void;
  readonly read: () => Promise<State | undefined>;
  /** Reads unless nothing can be new, or the journal is known up to this version, also by the `told` entries, which end there. */
  readonly refresh: (version?: number, told?: JournalPage['entries']) => Promise<State | undefined>;
  readonly refreshUnlessOver: () => Promise<State | undefined>;
  readonly time: StoreTime;
}

/** Reads what is new in a journal, starting from the state known here, or from the fold this process keeps. */
export function createReading<State, Body extends object>(
  { store, elapsed, storeTime, isAlone = false }: ReadingDeps,
  journal: JournalName,
  kind: Folding<State, Body>,
): JournalReading<State> {
  const { folded } = kind;
  const time = storeTime ?? createStoreTime({ elapsed });
  let own: Folded<State> = nothingFolded();
  /** Whether callers have been told what `own` says. What was only recalled can be read anew without telling them. */
  let isTold = false;
  let isForgotten = false;

  const learn = (next: Folded<State>): void => {
    own = next;
    isTold = true;
    // What others keep must not fall behind.
    if (next.version > 0 && (!isForgotten || folded?.of(journal) !== undefined)) folded?.keep(journal, next);
  };

  /** Another recorder of this process may know more. A fold of another reading may contradict what this one has used. */
  const known = (): Folded<State> => {
    const kept = own.version > 0 ? folded?.of(journal) : undefined;
    if (kept !== undefined && kept.reading === own.reading && kept.version > own.version) own = kept;
    return own;
  };

  const recall = (): boolean => {
    if (own.version === 0) own = folded?.of(journal) ?? own;
    return known().version > 0;
  };

  const read = async (): Promise<State | undefined> => {
    const before = recall() ? own : undefined;
    const continued =
      before && continueFrom(kind, journal, before, await readFrom(store, time, journal, before.version - 1));
    if (continued !== undefined) {
      learn(continued);
      return own.state;
    }
    // The fold has lines that the store lost, so the journal is read from the beginning.
    if (before !== undefined) folded?.dropSetBack(journal);
    own = nothingFolded();
    if (before !== undefined && isTold) {
      isTold = false;
      throw new SetBackError(journal);
    }
    learn(withLines(kind, journal, own, (await readFrom(store, time, journal, 0)).entries));
    return own.state;
  };

  const isUpToDate = (version = Number.POSITIVE_INFINITY): boolean => {
    if (!recall() || !time.isKnown()) return false;
    return own.version >= version || (isAlone && folded?.of(journal) === own);
  };

  const refresh: JournalReading<State>['refresh'] = async (version = Number.POSITIVE_INFINITY, told = []) => {
    if (!isUpToDate(version)) {
      const followed = time.isKnown() && follow(kind, journal, own, { version, told });
      if (!followed) return read();
      learn(followed);
    }
    isTold = true;
    return own.state;
  };

  const refreshUnlessOver = (): Promise<State | undefined> => {
    const isOver = recall() && time.isKnown() && own.state !== undefined && kind.isOver?.(own.state, time.nowMs());
    return refresh(isOver === true ? own.version : undefined);
  };

  const forget = (): void => {
    isForgotten = true;
    folded?.drop(journal);
  };

  return { forget, known, isUpToDate, refreshUnlessOver, recall, isTold: () => isTold, learn, read, refresh, time };
}

async function readFrom(store: ReadingDeps['store'], time: StoreTime, journal: JournalName, version: number) {
  const page = await store.read(journal, version);
  time.learn(page.nowMs);
  return page;
}

interface Read {
  readonly entries: readonly { readonly id: string; readonly text: string }[];
}

/** The fold with the later lines; `undefined` when the journal no longer has the last line of the fold. */
function continueFrom<State, Body extends object>(
  kind: Folding<State, Body>,
  journal: JournalName,
  kept: Folded<State>,
  { entries: [last, ...later] }: Read,
): Folded<State> | undefined {
  if (last === undefined || hashLine(last.text) !== kept.head()) return undefined;
  return withLines(kind, journal, kept, later);
}

function withLines<State, Body extends object>(
  kind: Folding<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  lines: Read['entries'],
): Folded<State> {
  return lines.reduce((folded, line) => withLine(kind, journal, folded, line), known);
}

/**
 * The fold with the entries up to this version that a hint told of. A hint is lost, late or forged without harm: `undefined`
 * where an entry is missing or does not follow from the line before it.
 */
function follow<State, Body extends object>(
  kind: Folding<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  { version, told }: { readonly version: number; readonly told: Read['entries'] },
): Folded<State> | undefined {
  const missing = version - known.version;
  if (known.version === 0 || missing > told.length) return undefined;
  const lines = told.slice(-missing);
  const texts = lines.map(({ text }) => text);
  return findBreak(texts, known.head()) === undefined ? withLines(kind, journal, known, lines) : undefined;
}

/** The fold with one more line. */
function withLine<State, Body extends object>(
  kind: Folding<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  { id, text }: Read['entries'][number],
): Folded<State> {
  const entry = readEntry(kind, journal, text);
  return {
    state: kind.evolve(known.state, entry),
    version: known.version + 1,
    head: () => hashLine(text),
    lastId: id,
    chars: known.chars + text.length,
    reading: known.reading,
  };
}

function readEntry<State, Body>(kind: Folding<State, Body>, journal: JournalName, text: string): Body & Stamp {
  try {
    return readLine(kind.schema, text).entry;
    // A newer version of the bot may have written this line: the error that leaves here names the journal.
  } catch (error) {
    throw error instanceof NewerEntryError ? new NewerJournalError(journal, error) : error;
  }
}

/** The store has lost acknowledged writes: it was restored from a backup, or a lagging replica took over. */
export class SetBackError extends Error {
  override readonly name = 'SetBackError';

  constructor(journal: JournalName) {
    super(`Journal ${journal} has lost lines: the store was set back. Read it again to go on from there.`);
  }
}
