import { hash } from 'node:crypto';
import { z } from 'zod';
import { given } from '../../given.ts';
import { readJson } from '../../json.ts';

/**
 * One line of a journal as it is stored: a format version, the entry's id, the time by the store's clock, the hash of the
 * line before, and the entry. Removing, reordering or changing a line breaks the chain at the next line. A line whose entry
 * refers to items that were appended with it also holds their hashes, so that the chain covers them.
 */
export const FORMAT = 1;

/** The `prev` of the first line of a journal. */
export const NO_HEAD = '';

/** All that is read of a line before its format is known: a later format may shape the rest otherwise. */
const Format = z.object({ v: z.number().int() });
const Line = z.object({
  v: z.number().int(),
  id: z.string(),
  atMs: z.number(),
  prev: z.string(),
  /**
   * Absent where the entry brought no item, and in lines of versions before 0.2. For a time the first line of an append held
   * the hashes of all its items.
   */
  items: z.object({ from: z.number().int().nonnegative(), hashes: z.array(z.string()) }).optional(),
  body: z.unknown(),
});

/** The items that an entry brought: the position of the first, and the hash of each. */
export interface ItemHashes {
  readonly from: number;
  readonly hashes: readonly string[];
}

/** Items as they are appended. */
export interface NewItems<Body> {
  readonly from: number;
  readonly texts: readonly string[];
  /** The positions of the items to which an entry refers, also those of earlier appends. */
  readonly of: (entry: Body) => readonly number[];
}

export interface Stamp {
  readonly id: string;
  readonly atMs: number;
}

/**
 * Reads one line. A line of a later format, or with an unknown type of entry, comes from a newer version of the bot: it is
 * refused, never guessed at. Unknown fields are ignored, so a later version may only add fields that this version can safely
 * ignore.
 */
export function readLine<Body>(
  schema: z.ZodType<Body>,
  text: string,
): { readonly entry: Body & Stamp; readonly prev: string } {
  const line: unknown = JSON.parse(text);
  const { v } = Format.parse(line);
  if (v > FORMAT) throw new NewerEntryError(`an entry of format ${v}, and this version reads up to ${FORMAT}`);
  const { id, atMs, prev, body } = Line.parse(line);
  const known = schema.safeParse(body);
  if (known.success) return { entry: { ...known.data, id, atMs }, prev };
  const type = unknownType(body, known.error);
  throw type === undefined
    ? known.error
    : new NewerEntryError(`an entry of the kind '${type}', which this version does not know`);
}

/** The type of an entry, when its type is what does not fit the schema. */
function unknownType(body: unknown, { issues }: z.ZodError): string | undefined {
  const isKind = issues.some(({ code, path }) => code === 'invalid_union' && path.join() === 'type');
  const read = z.object({ type: z.string() }).safeParse(body);
  return isKind && read.success ? read.data.type : undefined;
}

/**
 * Chains entries to `head`, the hash of the last line. Each line holds the hashes of the new items to which its entry refers.
 *
 * @param sign makes the signature of a line, which then is its last member. Absent: lines are not signed.
 */
export function writeLines<Body extends object>(
  entries: readonly (Body & Stamp)[],
  head: string,
  items?: NewItems<Body>,
  sign?: (text: string) => string,
): { readonly lines: readonly { readonly id: string; readonly text: string }[]; readonly head: string } {
  let prev = head;
  if (items !== undefined) refuseStrays(entries, items);
  const lines = entries.map((entry) => {
    const { id, atMs, ...body } = entry;
    const hashes = items && hashesOf(entry, items);
    const plain = JSON.stringify({ v: FORMAT, id, atMs, prev, ...given({ items: hashes }), body });
    const text = sign === undefined ? plain : `${plain.slice(0, -1)},"mac":${JSON.stringify(sign(plain))}}`;
    prev = hashLine(text);
    return { id, text };
  });
  return { lines, head: prev };
}

/** The signature of a line, and what it was made over. `undefined` for a line without one. */
export function signatureOf(text: string): { readonly mac: string; readonly text: string } | undefined {
  const [, plain, mac] = /^(\{.*),"mac":"([\w.-]+)"\}$/s.exec(text) ?? [];
  return plain === undefined || mac === undefined ? undefined : { mac, text: `${plain}}` };
}

/** A range holds them, because an entry refers to neighbours only: an input and its shown form. */
function hashesOf<Body>(entry: Body, { from, texts, of }: NewItems<Body>): ItemHashes | undefined {
  const brought = of(entry).filter((at) => at >= from && at < from + texts.length);
  if (brought.length === 0) return undefined;
  const first = Math.min(...brought);
  return { from: first, hashes: texts.slice(first - from, Math.max(...brought) - from + 1).map(hashLine) };
}

/** Refuses an item to which no entry refers: no line would hold its hash. */
function refuseStrays<Body>(entries: readonly Body[], { from, texts, of }: NewItems<Body>): void {
  const known = new Set(entries.flatMap(of));
  const stray = texts.findIndex((_, index) => !known.has(from + index));
  if (stray >= 0) {
    throw new Error(
      `An append was refused: no entry of it refers to its item ${from + stray}. Nothing was written; mend the caller.`,
    );
  }
}

/** The hashes of items that a line holds. `undefined` also for a line that cannot be read. */
export function itemHashesIn(text: string): ItemHashes | undefined {
  const line = Line.safeParse(readJson(text));
  return line.success ? line.data.items : undefined;
}

/** The hash of a line or of an item. */
export function hashLine(text: string): string {
  return hash('sha256', text, 'base64url');
}

/**
 * The position of the first line whose `prev` is not the hash of the line before it, or `undefined` when the chain holds.
 *
 * @param head the hash of the line before the first one. Absent when the first one begins the journal.
 */
export function findBreak(texts: readonly string[], head: string = NO_HEAD): number | undefined {
  let prev = head;
  for (const [position, text] of texts.entries()) {
    // A tampered line may hold anything, also text that is not JSON.
    const line = Line.safeParse(readJson(text));
    if (!line.success || line.data.prev !== prev) return position;
    prev = hashLine(text);
  }
  return undefined;
}

/** A newer version of the bot wrote this journal. It is left untouched. */
export class NewerEntryError extends Error {
  override readonly name = 'NewerEntryError';

  constructor(what: string) {
    super(
      `This journal holds ${what}. A newer version of the bot wrote it: update this one, or keep a newer one running ` +
        'beside it, which continues this journal.',
    );
  }
}
