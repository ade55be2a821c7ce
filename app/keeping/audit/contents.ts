import { type Entry, hashLine, type ItemHashes, itemHashesIn, itemsOf } from '../../journal/index.ts';
import { isSealed } from '../../store/index.ts';

/** What the items of a run are, compared with what its journal says of them. */
export interface Contents {
  /** One sentence each, without the name of the run. */
  readonly findings: readonly string[];
  /** Items that no entry has a hash of: versions before 0.2 kept none. */
  readonly unhashed: number;
  /** Items that are encrypted, so that their hash cannot be computed. */
  readonly sealed: number;
  /** How many items lie behind the last one that the journal knows. */
  readonly behind: number;
}

interface OnRecord {
  /** What an entry has to do with the item, for the reader of a finding. */
  readonly which: string;
  /** The hash, and the entry whose line holds it. */
  readonly brought?: { readonly by: number; readonly hash: string };
}

/** Compares each item with the hash that its entry holds, and looks for each item that an entry refers to. */
export function compareContents(
  lines: readonly string[],
  entries: readonly Entry[],
  items: readonly string[],
): Contents {
  const held = lines.map(itemHashesIn);
  const known = itemsOnRecord(held, entries);
  const end = Math.max(-1, ...known.keys()) + 1;
  const places = [...new Set([...items.keys(), ...known.keys()])].filter((place) => place < end).sort((a, b) => a - b);
  const later = new Map(
    [...known].flatMap(([position, { brought }]) => (brought === undefined ? [] : [[brought.hash, position]])),
  );
  const found = { findings: [...withoutHash(held, entries, known)], unhashed: 0, sealed: 0 };
  let lost = Math.max(0, places.length - items.length);
  let at = 0;

  for (const position of places) {
    const { which = 'of which no entry is left', brought } = known.get(position) ?? {};
    const text = items[at];
    const actual = text === undefined || isSealed(text) ? undefined : hashLine(text);
    const isLater = actual !== undefined && actual !== brought?.hash && (later.get(actual) ?? -1) > position;
    if (text === undefined || (lost > 0 && isLater)) {
      lost -= 1;
      found.findings.push(`item ${position}, ${which}, is missing`);
      continue;
    }
    at += 1;
    if (actual === undefined) found.sealed += 1;
    else if (brought === undefined) found.unhashed += 1;
    else if (actual !== brought.hash) found.findings.push(`item ${position}, ${which}, is not as it was written`);
  }
  return { ...found, behind: items.length - at };
}

/** Each item whose hash a line holds or to which an entry refers. */
function itemsOnRecord(
  held: readonly (ItemHashes | undefined)[],
  entries: readonly Entry[],
): ReadonlyMap<number, OnRecord> {
  const known = new Map<number, OnRecord>();
  for (const [entry, { from, hashes } = NONE] of held.entries()) {
    for (const [index, hash] of hashes.entries())
      known.set(from + index, { which: `which entry ${entry} brought`, brought: { by: entry, hash } });
  }
  for (const [position, entry] of entries.entries()) {
    for (const item of itemsOf(entry)) {
      if (!known.has(item)) known.set(item, { which: `to which entry ${position} refers` });
    }
  }
  return known;
}

const NONE: ItemHashes = { from: 0, hashes: [] };

/**
 * Names each entry that refers to an item whose hash its line does not hold. Passes over what an older version wrote: items
 * without any hash, and an append whose first line holds the hashes of all its items.
 */
function withoutHash(
  held: readonly (ItemHashes | undefined)[],
  entries: readonly Entry[],
  known: ReadonlyMap<number, OnRecord>,
): readonly string[] {
  const isOfOneAppend = (first: number, last: number) =>
    first < last && entries.slice(first, last).every(({ atMs }) => atMs === entries[last]?.atMs);
  return entries.flatMap((entry, position) => {
    const { from, hashes } = held[position] ?? NONE;
    const isOlder = (item: number) => {
      const by = known.get(item)?.brought?.by;
      return hashes.length === 0 && (by === undefined || isOfOneAppend(by, position));
    };
    return itemsOf(entry)
      .filter((item) => !(item >= from && item < from + hashes.length) && !isOlder(item))
      .map((item) => `entry ${position} refers to item ${item}, and does not hold its hash`);
  });
}
