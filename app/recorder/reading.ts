import type { z } from 'zod';
import { hashLine, NewerEntryError, NewerJournalError, NO_HEAD, readLine, type Stamp } from '../journal/index.ts';
import type { JournalName } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { Folded, FoldedJournals } from './folded.ts';

/** How the entries of a journal are read and folded. */
export interface Folding<State, Body> {
  readonly schema: z.ZodType<Body>;
  readonly evolve: (state: State | undefined, entry: Body & Stamp) => State;
  /** The folds of such journals that this process keeps. */
  readonly folded?: FoldedJournals<State>;
}

interface JournalReading<State> {
  /** The journal as this process last read or wrote it. */
  readonly known: () => Folded<State>;
  readonly learn: (next: Folded<State>) => void;
  readonly read: () => Promise<State | undefined>;
  readonly nowMs: () => number;
}

export interface ReadingDeps {
  readonly store: Pick<Store, 'read'>;
  /** A monotonic clock, in milliseconds. A clock that can be set would give wrong intervals. */
  readonly elapsed: () => number;
}

/** Reads what is new in a journal, starting from the state known here, or from the fold this process keeps. */
export function createReading<State, Body extends object>(
  { store, elapsed }: ReadingDeps,
  journal: JournalName,
  kind: Folding<State, Body>,
): JournalReading<State> {
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
    const before = known.version > 0 ? known : folded?.of(journal);
    const continued = before && continueFrom(kind, journal, before, await readFrom(before.version - 1));
    if (continued !== undefined) {
      learn(continued);
      return known.state;
    }
    // The fold has lines that the store lost, so the journal is read from the beginning.
    if (before !== undefined) folded?.dropSetBack(journal);
    if (known.version > 0) {
      known = NOTHING;
      throw new SetBackError(journal);
    }
    learn(withLines(kind, journal, known, (await readFrom(0)).entries));
    return known.state;
  };

  return { known: () => known, learn, read, nowMs: () => Math.round(elapsed() + aheadMs) };
}

const NOTHING = { state: undefined, version: 0, head: () => NO_HEAD } as const;

interface Read {
  readonly entries: readonly { readonly text: string }[];
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
  return lines.reduce((folded, { text }) => withLine(kind, journal, folded, text), known);
}

/** The fold with one more line. */
function withLine<State, Body extends object>(
  kind: Folding<State, Body>,
  journal: JournalName,
  known: Folded<State>,
  text: string,
): Folded<State> {
  const entry = readEntry(kind, journal, text);
  return { state: kind.evolve(known.state, entry), version: known.version + 1, head: () => hashLine(text) };
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
