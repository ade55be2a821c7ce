import { given } from '../given.ts';
import { NO_HEAD } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { JournalName } from '../records/index.ts';
import type { ShownCards } from './shown-cards.ts';

/** A journal folded up to a version. */
export interface Folded<State> {
  readonly state: State | undefined;
  readonly version: number;
  /** The hash of the last line. A function, because the hash of most lines is never needed. */
  readonly head: () => string;
  /** The id of the last entry. Absent: there is none. */
  readonly lastId?: string;
  /** How many characters its lines have. */
  readonly chars: number;
  /** One object for all folds that continue one reading: two folds that share it never contradict each other. */
  readonly reading: object;
}

/** The fold of a journal of which nothing is known. */
export const nothingFolded = (): Folded<never> => ({
  state: undefined,
  version: 0,
  head: () => NO_HEAD,
  chars: 0,
  reading: {},
});

/**
 * Folded journals and their items that this process keeps. A journal only grows, so a fold stays true, and each recorder of
 * the same journal goes on from it. This is only a cache: without it, the journal is read whole.
 */
export interface FoldedJournals<State> {
  readonly of: (journal: JournalName) => Folded<State> | undefined;
  /** Keeps the newest fold of this journal. */
  readonly keep: (journal: JournalName, folded: Folded<State>) => void;
  /** The items of a journal whose fold is kept, from its first. */
  readonly itemsOf: (journal: JournalName) => readonly string[] | undefined;
  readonly keepItems: (journal: JournalName, items: readonly string[]) => void;
  /** What cards show since this process painted them. It may not be written yet. */
  readonly shownIn: (journal: JournalName) => ShownCards;
  /** Answers false where the fold of the journal is not kept: then this is not kept either. */
  readonly keepShown: (journal: JournalName, shown: ShownCards) => boolean;
  readonly drop: (journal: JournalName) => void;
  /** Drops the fold of a journal that the store has lost lines of, and remembers that it has. */
  readonly dropSetBack: (journal: JournalName) => void;
  /** Whether the store has lost lines of this journal since `forgetSetBack`. */
  readonly wasSetBack: (journal: JournalName) => boolean;
  readonly forgetSetBack: (journal: JournalName) => void;
}

interface Kept<State> {
  readonly folded: Folded<State>;
  readonly items?: readonly string[];
  readonly itemChars: number;
  readonly shown?: ShownCards;
}

const NOTHING_SHOWN: ShownCards = new Map();

const charsOf = ({ folded, itemChars }: Kept<unknown>): number => folded.chars + itemChars;

const withoutItems = <State>({ folded, shown }: Kept<State>): Kept<State> => ({
  folded,
  itemChars: 0,
  ...given({ shown }),
});

/** @param most how many characters of lines and items are kept in all. The journal used longest ago is dropped first. */
export function createFoldedJournals<State>(most: number = LIMITS.foldedChars): FoldedJournals<State> {
  const kept = new Map<JournalName, Kept<State>>();
  const setBack = new Set<JournalName>();
  let chars = 0;
  /** The last in the map, which is in order of use. */
  let newest: JournalName | undefined;

  const drop = (journal: JournalName): void => {
    const known = kept.get(journal);
    if (known === undefined) return;
    chars -= charsOf(known);
    kept.delete(journal);
  };

  const put = (journal: JournalName, one: Kept<State>): void => {
    drop(journal);
    // Items that do not fit would drop all other journals, and then their own.
    const held = charsOf(one) > most ? withoutItems(one) : one;
    kept.set(journal, held);
    newest = journal;
    chars += charsOf(held);
    for (const [oldest] of kept) {
      if (chars <= most) return;
      drop(oldest);
    }
  };

  return {
    of: (journal) => {
      const found = kept.get(journal);
      if (found !== undefined && journal !== newest) {
        kept.delete(journal);
        kept.set(journal, found);
        newest = journal;
      }
      return found?.folded;
    },
    keep: (journal, folded) => {
      const known = kept.get(journal);
      if (known?.folded.reading === folded.reading) {
        if (known.folded.version <= folded.version) put(journal, { ...known, folded });
      } else if (known === undefined || known.folded.version <= folded.version) {
        put(journal, { folded, itemChars: 0 });
      }
    },
    itemsOf: (journal) => kept.get(journal)?.items,
    keepItems: (journal, items) => {
      const known = kept.get(journal);
      if (known === undefined) return;
      const itemChars = items.reduce((sum, { length }) => sum + length, 0);
      put(journal, { ...known, items, itemChars });
    },
    shownIn: (journal) => kept.get(journal)?.shown ?? NOTHING_SHOWN,
    keepShown: (journal, shown) => {
      const known = kept.get(journal);
      if (known !== undefined) put(journal, { ...known, shown });
      return known !== undefined;
    },
    drop,
    dropSetBack: (journal) => {
      drop(journal);
      setBack.add(journal);
    },
    wasSetBack: (journal) => setBack.has(journal),
    forgetSetBack: (journal) => void setBack.delete(journal),
  };
}
