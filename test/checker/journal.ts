import type { Entry, EntryBody } from '../../app/journal/facts/entries.ts';
import { BrokenJournalError } from '../../app/journal/fold/changes.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { type BrokenPromise, brokenPromises } from '../../app/keeping/audit/promises.ts';
import type { Core } from './core.ts';

/**
 * A journal with all its futures: each entry is a node below the one before it, made once and folded once, however many
 * schedules lead to it. Two worlds hold the same journal exactly when they hold the same node.
 */
export interface Journal {
  readonly number: number;
  readonly version: number;
  readonly before: Journal | undefined;
  readonly entry: Entry;
  readonly state: RunState;
  /** The faults of the journal, and whether the fold threw on it. */
  readonly broken: readonly string[];
}

export interface Library {
  readonly append: (journal: Journal, entries: readonly Entry[]) => Journal;
  readonly beginning: (entries: readonly EntryBody[]) => Journal;
  /** How many different journals were written. */
  readonly size: () => number;
}

export function createLibrary({ evolve }: Pick<Core, 'evolve'>): Library {
  const known = new Map<string, Journal>();

  const add = (before: Journal | undefined, entry: Entry): Journal => {
    const key = `${before?.number ?? 0} ${JSON.stringify(entry)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { state, fault } = fold(before?.state, entry);
    const written = { number: known.size + 1, version: (before?.version ?? 0) + 1, before, entry, state };
    const broken = [...(fault === undefined ? [] : [fault]), ...brokenPromises(entriesOf(written)).map(inWords)];
    const made = { ...written, broken };
    known.set(key, made);
    return made;
  };

  const fold = (state: RunState | undefined, entry: Entry): { readonly state: RunState; readonly fault?: string } => {
    try {
      return { state: evolve(state, entry) };
    } catch (error) {
      if (!(error instanceof BrokenJournalError) || state === undefined) throw error;
      return { state, fault: error.message };
    }
  };

  const append = (journal: Journal | undefined, entries: readonly Entry[]): Journal => {
    const last = entries.reduce(add, journal);
    if (last === undefined) throw new Error('A journal needs at least one entry.');
    return last;
  };

  return {
    append,
    beginning: (bodies) =>
      append(
        undefined,
        bodies.map((body, position) => ({ ...body, id: `begin-${position}`, atMs: 0 })),
      ),
    size: () => known.size,
  };
}

const inWords = ({ position, says }: BrokenPromise): string => `Entry ${position} ${says}.`;

export function entriesOf(journal: Pick<Journal, 'before' | 'entry'>): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at: Pick<Journal, 'before' | 'entry'> | undefined = journal; at !== undefined; at = at.before) {
    entries.push(at.entry);
  }
  return entries.reverse();
}

/** The id of the entry at a position, as the store would look it up. */
export function idAt(journal: Journal, position: number): string | undefined {
  let at: Journal | undefined = journal;
  while (at !== undefined && at.version - 1 > position) at = at.before;
  return at?.version === position + 1 ? at.entry.id : undefined;
}
