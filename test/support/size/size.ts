import type { Block } from '../../../sandbox/block-kit/blocks.ts';
import { SLACK_PX as PX } from './metrics.ts';
import { countWords, seen } from './seen.ts';

/** How high Slack draws the blocks of a message at 640 px, and how many words a person meets on them. */
export interface Size {
  readonly heightPx: number;
  readonly words: number;
}

type Part = Readonly<Record<string, unknown>>;
type Drawn = Readonly<{ size: number; line: number }>;

const WIDTH = PX.message - PX.beside;

export function sizeOf(blocks: readonly Block[]): Size {
  const parts: readonly Part[] = blocks;
  const heights = parts.map(heightOf);
  const heightPx = heights.reduce((sum, height) => sum + height, 0) + PX.gap * Math.max(0, heights.length - 1);
  return { heightPx, words: countWords(parts.map(wordsOf).join(' ')) };
}

function heightOf(block: Part): number {
  switch (block.type) {
    case 'divider':
      return PX.divider;
    case 'actions':
      return rowsOfButtons(list(block.elements)) * (PX.button + PX.gap) - PX.gap;
    case 'context':
      return lines(list(block.elements).map(textOf).join('  '), PX.context, WIDTH) * PX.context.line;
    case 'section':
      return sectionHeight(block);
    case 'rich_text':
      return list(block.elements).reduce((sum, element) => sum + richHeight(element), 0);
    case 'markdown':
      return lines(seen(String(block.text)), PX.text, WIDTH) * PX.text.line;
    default:
      throw new Error(`The height of a block of the type ${String(block.type)} is not known. Add it to size.ts.`);
  }
}

function sectionHeight({ text, fields, accessory }: Part): number {
  const beside = accessory === undefined ? 0 : buttonWidth(part(accessory)) + PX.gap;
  const own = text === undefined ? 0 : lines(textOf(part(text)), PX.text, WIDTH - beside) * PX.text.line;
  const cells = list(fields).map((field) => lines(textOf(field), PX.text, WIDTH / 2) * PX.text.line);
  const rows = cells.flatMap((cell, at) => (at % 2 === 0 ? [Math.max(cell, cells[at + 1] ?? 0)] : []));
  const all = own + rows.reduce((sum, row) => sum + row + PX.gap, own === 0 ? -PX.gap : 0);
  return Math.max(all, accessory === undefined ? 0 : PX.button);
}

function richHeight(element: Part): number {
  const text = list(element.elements).map(pieceOf).join('');
  switch (element.type) {
    case 'rich_text_preformatted':
      return lines(text, PX.code, WIDTH - 2 * PX.frame, PX.fixed) * PX.code.line + 2 * PX.frame;
    case 'rich_text_quote':
      return lines(text, PX.text, WIDTH - PX.bar) * PX.text.line;
    default:
      return lines(text, PX.text, WIDTH) * PX.text.line;
  }
}

function rowsOfButtons(elements: readonly Part[]): number {
  let rows = 1;
  let used = 0;
  for (const element of elements) {
    const width = buttonWidth(element);
    if (used > 0 && used + PX.gap + width > WIDTH) {
      rows += 1;
      used = 0;
    }
    used += width + (used > 0 ? PX.gap : 0);
  }
  return rows;
}

export function buttonWidth(element: Part): number {
  if (element.type !== 'button') return PX.menu;
  return textOf(part(element.text)).length * PX.text.size * PX.letter + 2 * PX.buttonSide;
}

/** How many lines a text needs. A line breaks between words, or inside a word that is longer than a line. */
function lines(text: string, { size }: Drawn, width: number, letter: number = PX.letter): number {
  const room = Math.floor(width / (size * letter));
  return text.split('\n').reduce((sum, line) => sum + linesOf(line.split(' '), room), 0);
}

function linesOf(words: readonly string[], room: number): number {
  let count = 1;
  let used = -1;
  for (const { length } of words) {
    if (used >= 0 && used + 1 + length > room) {
      count += 1;
      used = -1;
    }
    used += 1 + length;
    while (used > room) {
      count += 1;
      used -= room;
    }
  }
  return count;
}

function wordsOf(block: Part): string {
  const inside = [block.text, block.accessory, ...list(block.fields), ...list(block.elements)];
  return inside
    .filter((one) => one !== undefined)
    .map((one) => {
      if (typeof one === 'string') return seen(one);
      const element = part(one);
      if (element.type === 'button') return textOf(part(element.text));
      if (element.elements !== undefined) return list(element.elements).map(pieceOf).join('');
      return element.type === 'overflow' ? '' : textOf(element);
    })
    .join(' ');
}

/** What a piece of rich text shows. */
function pieceOf(piece: Part): string {
  if (piece.type === 'emoji') return '■';
  if (piece.type === 'user') return '@Ann Archer';
  return piece.type === 'text' ? String(piece.text) : '';
}

function textOf({ type, text }: Part): string {
  return type === 'mrkdwn' ? seen(String(text)) : String(text ?? '');
}

function list(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value.map(part) : [];
}

function part(value: unknown): Part {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
