import { hash } from 'node:crypto';
import { z } from 'zod';
import { given } from '../../given.ts';
import { readJson } from '../../json.ts';

/**
 * One line of a journal as it is stored: a format version, the entry's id, the time by the store's clock, the hash of the
 * line before, and the entry. Removing, reordering or changing a line breaks the chain at the next line. A line that was
 * appended together with items also holds their hashes, so that the chain covers them.
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
  /** Absent where no item was appended, and in lines of versions before 0.2. */
  items: z.object({ from: z.number().int().nonnegative(), hashes: z.array(z.string()) }).optional(),
  body: z.unknown(),
});

/** The items that were appended together with a line: the position of the first, and the hash of each. */
export interface ItemHashes {
  readonly from: number;
  readonly hashes: readonly string[];
}

/** Items as they are appended. */
export interface NewItems {
  readonly from: number;
  readonly texts: readonly string[];
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
 * Chains entries to `head`, the hash of the last line. The first line holds the hashes of the new items.
 *
 * @param sign makes the signature of a line, which then is its last member. Absent: lines are not signed.
 */
export function writeLines<Body extends object>(
  entries: readonly (Body & Stamp)[],
  head: string,
  items?: NewItems,
  sign?: (text: string) => string,
): { readonly lines: readonly { readonly id: string; readonly text: string }[]; readonly head: string } {
  let prev = head;
  const lines = entries.map(({ id, atMs, ...body }, index) => {
    const hashes = index > 0 || items === undefined ? undefined : hashesOf(items);
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

function hashesOf({ from, texts }: NewItems): ItemHashes | undefined {
  return texts.length === 0 ? undefined : { from, hashes: texts.map(hashLine) };
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
 * @param before the line before the first one. Absent when the first one begins the journal.
 */
export function findBreak(texts: readonly string[], before?: string): number | undefined {
  let prev = before === undefined ? NO_HEAD : hashLine(before);
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
