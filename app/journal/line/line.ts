import { hash } from 'node:crypto';
import { z } from 'zod';

/**
 * One line of a journal as it is stored: a format version, the writer's id, the time by the store's clock, the hash of
 * the line before, and what happened. Removing, reordering or changing a line breaks the chain at the next one.
 */
export const FORMAT = 1;

/** What the first line of a journal stands on. */
export const NO_HEAD = '';

/** All that is asked of a line before it is known who wrote it: a later format may hold the rest in another shape. */
const Format = z.object({ v: z.number().int() });
const Line = z.object({ v: z.number().int(), id: z.string(), atMs: z.number(), prev: z.string(), body: z.unknown() });

export interface Stamp {
  readonly id: string;
  readonly atMs: number;
}

/**
 * Reads one line at the border. What a newer version wrote is refused, never guessed at: a later format, and in this one a
 * kind of entry that is not known here. Fields that are not known here are passed over, so a later version may add only
 * such as nobody has to heed; the line itself stays as it is.
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

/** The kind of an entry, if it is that which does not fit. */
function unknownType(body: unknown, { issues }: z.ZodError): string | undefined {
  const isKind = issues.some(({ code, path }) => code === 'invalid_union' && path.join() === 'type');
  const read = z.object({ type: z.string() }).safeParse(body);
  return isKind && read.success ? read.data.type : undefined;
}

/** Writes entries one after the other onto `head`, the hash of the last line there is. */
export function writeLines<Body extends object>(
  entries: readonly (Body & Stamp)[],
  head: string,
): { readonly lines: readonly { readonly id: string; readonly text: string }[]; readonly head: string } {
  let prev = head;
  const lines = entries.map(({ id, atMs, ...body }) => {
    const text = JSON.stringify({ v: FORMAT, id, atMs, prev, body });
    prev = hashLine(text);
    return { id, text };
  });
  return { lines, head: prev };
}

export function hashLine(text: string): string {
  return hash('sha256', text, 'base64url');
}

/**
 * The first line that does not stand on the one before it, or `undefined` when the chain holds.
 *
 * @param before the line that the first one has to stand on; absent, it has to be a beginning.
 */
export function findBreak(texts: readonly string[], before?: string): number | undefined {
  let prev = before === undefined ? NO_HEAD : hashLine(before);
  for (const [position, text] of texts.entries()) {
    const line = Line.safeParse(parse(text));
    if (!line.success || line.data.prev !== prev) return position;
    prev = hashLine(text);
  }
  return undefined;
}

/** Somebody may have written anything there. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The journal belongs to a newer version of the bot. It is left untouched. */
export class NewerEntryError extends Error {
  override readonly name = 'NewerEntryError';

  constructor(what: string) {
    super(
      `This journal holds ${what}. A newer version of the bot wrote it: update this one, or leave a newer one running ` +
        'beside it, which goes on with it.',
    );
  }
}
