import type { z } from 'zod';
import { hashLine, NewerEntryError, NewerJournalError, NO_HEAD, readLine, type Stamp } from '../journal/index.ts';
import type { JournalName } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { Folded, FoldedJournals } from './folded.ts';

/** How the entries of a journal are read and folded. */
export interface Folding<State, Body> {
  readonly schema: z.ZodType<Body>;
  readonly evolve: (state: State | undefined, entry: Body & Stamp) => State;
  /** What this process keeps of such journals. */
  readonly folded?: FoldedJournals<State>;
}

export interface JournalReading<State> {
  /** As last read or written here. */
  readonly known: () => Folded<State>;
  readonly learn: (next: Folded<State>) => void;
  readonly read: () => Promise<State | undefined>;
  readonly nowMs: () => number;
}

export interface ReadingDeps {
  readonly store: Pick<Store, 'read'>;
  /** What passes between two moments; a clock that may be set would not tell. */
  readonly elapsed: () => number;
}

/** Reads a journal from what is known of it, or else from what this process keeps of it. */
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
  return lines.reduce((so, { text }) => withLine(kind, journal, so, text), known);
}

/** The journal with one more line that was read. */
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
  } catch (error) {
    throw error instanceof NewerEntryError ? new NewerJournalError(journal, error) : error;
  }
}

/** The store has lost what it had said was written: it was restored, or a replica that lagged behind took over. */
export class SetBackError extends Error {
  override readonly name = 'SetBackError';

  constructor(journal: JournalName) {
    super(`Journal ${journal} is shorter than it was: the store was set back. It is read anew and goes on from there.`);
  }
}
