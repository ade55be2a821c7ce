import { LIMITS } from '../limits.ts';
import type { JournalName } from '../records/index.ts';

/** A journal folded up to a version. */
export interface Folded<State> {
  readonly state: State | undefined;
  readonly version: number;
  /** The hash of the last line. A function, because the hash of most lines is never needed. */
  readonly head: () => string;
}

/**
 * Folded journals that this process keeps. A journal only grows, so a fold stays true, and the next recorder of the same
 * journal reads only later entries. This is only a cache: without it, the journal is read whole.
 */
export interface FoldedJournals<State> {
  readonly of: (journal: JournalName) => Folded<State> | undefined;
  /** Keeps the newest fold of this journal. */
  readonly keep: (journal: JournalName, folded: Folded<State>) => void;
  /** Drops the fold of a journal that the store has lost lines of, and remembers that it has. */
  readonly dropSetBack: (journal: JournalName) => void;
  /** Whether the store has lost lines of this journal since `forgetSetBack`. */
  readonly wasSetBack: (journal: JournalName) => boolean;
  readonly forgetSetBack: (journal: JournalName) => void;
}

/** @param most how many entries are kept in all. The journal kept longest ago is dropped first. */
export function createFoldedJournals<State>(most: number = LIMITS.foldedEntries): FoldedJournals<State> {
  const kept = new Map<JournalName, Folded<State>>();
  const setBack = new Set<JournalName>();
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
    dropSetBack: (journal) => {
      drop(journal);
      setBack.add(journal);
    },
    wasSetBack: (journal) => setBack.has(journal),
    forgetSetBack: (journal) => void setBack.delete(journal),
  };
}
