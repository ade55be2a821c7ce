import { LIMITS } from '../limits.ts';
import type { JournalName } from '../records/index.ts';

/** A journal folded up to a version. */
export interface Folded<State> {
  readonly state: State | undefined;
  readonly version: number;
  /** The hash of its last line. Worked out when it is wanted: of most lines that are read, it is not. */
  readonly head: () => string;
}

/**
 * Folded journals that this process keeps. A journal only grows, so a fold stays true, and the next recorder of the same
 * journal reads no more than what came after it. Nothing depends on what is kept here: without it, the journal is read whole.
 */
export interface FoldedJournals<State> {
  readonly of: (journal: JournalName) => Folded<State> | undefined;
  /** Keeps the newest fold of this journal. */
  readonly keep: (journal: JournalName, folded: Folded<State>) => void;
  readonly drop: (journal: JournalName) => void;
}

/** @param most so many entries in all; the journal that was used longest ago goes first. */
export function createFoldedJournals<State>(most: number = LIMITS.foldedEntries): FoldedJournals<State> {
  const kept = new Map<JournalName, Folded<State>>();
  let entries = 0;

  const drop = (journal: JournalName): void => {
    entries -= kept.get(journal)?.version ?? 0;
    kept.delete(journal);
  };

  return {
    of: (journal) => kept.get(journal),
    keep: (journal, folded) => {
      const known = kept.get(journal);
      const newest = known !== undefined && known.version > folded.version ? known : folded;
      drop(journal);
      kept.set(journal, newest);
      entries += newest.version;
      for (const [oldest] of kept) {
        if (entries <= most) return;
        drop(oldest);
      }
    },
    drop,
  };
}
