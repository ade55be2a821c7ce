import { type Entry, hashLine, itemHashesIn, itemsOf } from '../../journal/index.ts';
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
  readonly hash?: string;
}

/** Compares each item with the hash that its entry holds, and looks for each item that an entry refers to. */
export function compareContents(
  lines: readonly string[],
  entries: readonly Entry[],
  items: readonly string[],
): Contents {
  const known = itemsOnRecord(lines, entries);
  const end = Math.max(-1, ...known.keys()) + 1;
  const later = new Map([...known].flatMap(([position, { hash }]) => (hash === undefined ? [] : [[hash, position]])));
  const found = { findings: [] as string[], unhashed: 0, sealed: 0 };
  let lost = Math.max(0, end - items.length);
  let at = 0;

  for (let position = 0; position < end; position += 1) {
    const { which = 'of which no entry is left', hash } = known.get(position) ?? {};
    const text = items[at];
    const actual = text === undefined || isSealed(text) ? undefined : hashLine(text);
    const isLater = actual !== undefined && actual !== hash && (later.get(actual) ?? -1) > position;
    if (text === undefined || (lost > 0 && isLater)) {
      lost -= 1;
      found.findings.push(`item ${position}, ${which}, is missing`);
      continue;
    }
    at += 1;
    if (actual === undefined) found.sealed += 1;
    else if (hash === undefined) found.unhashed += 1;
    else if (actual !== hash) found.findings.push(`item ${position}, ${which}, is not as it was written`);
  }
  return { ...found, behind: items.length - at };
}

/** Each item that a line brought or an entry refers to. */
function itemsOnRecord(lines: readonly string[], entries: readonly Entry[]): ReadonlyMap<number, OnRecord> {
  const known = new Map<number, OnRecord>();
  for (const [entry, line] of lines.entries()) {
    const { from = 0, hashes = [] } = itemHashesIn(line) ?? {};
    for (const [index, hash] of hashes.entries())
      known.set(from + index, { which: `which entry ${entry} brought`, hash });
  }
  for (const [position, entry] of entries.entries()) {
    for (const item of itemsOf(entry)) {
      if (!known.has(item)) known.set(item, { which: `to which entry ${position} refers` });
    }
  }
  return known;
}
