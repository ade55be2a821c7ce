import { z } from 'zod';
import type { ToolOutput } from '../agent/index.ts';
import { count } from '../log.ts';

export type Rendered =
  | { readonly ok: true; readonly output: ToolOutput }
  | { readonly ok: false; readonly problem: string };

const Block = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z
    .strictObject({
      type: z.enum(['image', 'document']),
      mediaType: z.string(),
      base64: z.string(),
      name: z.string().optional(),
    })
    .transform(({ name, ...block }) => (name === undefined ? block : { ...block, name })),
]);

/** Pictures have a limit of their own: the provider of the model accepts about this much for one. */
const MEDIA_CHARS = 7_000_000;
const MEDIA_COUNT = 20;

/** The result of a tool, as the model reads it: text and blocks as they are, anything else as JSON. */
export function renderOutput(value: unknown, limitChars: number): Rendered {
  if (typeof value === 'string') return { ok: true, output: cutText(value, limitChars) };
  if (value === undefined) return { ok: false, problem: 'it gave no result' };
  const blocks = z.array(Block).min(1).safeParse(value);
  if (blocks.success) return renderBlocks(blocks.data, limitChars);
  const text = jsonOf(value);
  return text === undefined
    ? { ok: false, problem: 'its result is not something JSON can hold' }
    : { ok: true, output: cutText(text, limitChars) };
}

/**
 * Cuts a long text between two characters as people see them, never inside an emoji or an accent. It says how much is
 * missing, because the model would take the part for the whole.
 */
export function cutText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const boundary = boundaryBefore(text, limitChars);
  return `${text.slice(0, boundary)}\n[cut here: ${count(text.length - boundary, 'more character')}]`;
}

/** The last position up to `limitChars` where a character, as people see it, ends. */
export function boundaryBefore(text: string, limitChars: number): number {
  // The segmenter must see a little further than the cut. A whole long text would take it seconds.
  const near = new Intl.Segmenter().segment(text.slice(0, limitChars + 200)).containing(limitChars);
  return near === undefined || near.index === 0 ? withoutHalfPair(text, limitChars) : near.index;
}

/** One character may be as long as the limit (a letter with thousands of accents). Then the cut may be inside it. */
function withoutHalfPair(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

function renderBlocks(blocks: readonly z.output<typeof Block>[], limitChars: number): Rendered {
  const output: z.output<typeof Block>[] = [];
  let left = { chars: limitChars, media: MEDIA_COUNT };
  for (const block of blocks) {
    if (block.type !== 'text') {
      const fits = left.media > 0 && block.base64.length <= MEDIA_CHARS;
      output.push(fits ? block : { type: 'text', text: `[${block.type} left out: more than the model accepts]` });
      left = { ...left, media: left.media - 1 };
    } else {
      output.push({ type: 'text', text: cutText(block.text, left.chars) });
      left = { ...left, chars: left.chars - block.text.length };
    }
    if (left.chars <= 0 || left.media < 0) {
      const missing = blocks.length - output.length;
      if (missing > 0) output.push({ type: 'text', text: `[cut here: ${count(missing, 'more part')}]` });
      break;
    }
  }
  return { ok: true, output };
}

/** A short value with a line for each member. With lines, a long value would grow with the square of its depth. */
export function jsonOf(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > INDENTED_CHARS ? text : JSON.stringify(value, undefined, 2);
    // JSON cannot hold a cycle, a bigint or a very deep value. The caller tells the model.
  } catch {
    return undefined;
  }
}

const INDENTED_CHARS = 2_000;
