import { isJsonObject, readJson } from '../../../app/json.ts';
import { atOnce } from '../../../app/time/index.ts';
import type { Json } from '../../../interventions/index.ts';
import { SHOWN } from './limits.ts';
import { beginning, VISIBLE_AT_ONCE, visible, visibleInSteps } from './text.ts';

/** An input as people read it. Two different inputs never look alike. */

export type ShownInput =
  /** Small and flat: each name with its value. Another short input stands in one line. */
  { readonly type: 'pairs'; readonly pairs: readonly Pair[] } | { readonly type: 'text'; readonly text: string };

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** `upTo` is how many characters of a longer input are read. */
export function shownInput(json: string, upTo?: number): ShownInput {
  const pairs = flatPairs(json);
  if (pairs !== undefined) return { type: 'pairs', pairs };
  return { type: 'text', text: json.length <= SHOWN.lineChars ? visible(json) : shownText(json, upTo) };
}

/**
 * One member to a line. Only blanks are added, and only where JSON ignores them, so removing them gives the input back.
 * Text that is not compact JSON is shown unchanged, with its line breaks as escapes.
 */
export function shownText(json: string, upTo?: number): string {
  return atOnce(shownInSteps(json, upTo));
}

/** The same, for a caller that gives other work a turn between its steps. */
export function* shownInSteps(json: string, upTo = json.length): Generator<void, string> {
  const read = beginning(json, upTo);
  if (parsed(json) === undefined || !isCompact(read)) return yield* visibleInSteps(read);
  const lines: string[] = [];
  let chars = 0;
  for (const line of layOut(read).split('\n')) {
    lines.push(yield* visibleInSteps(line));
    chars += line.length;
    if (chars < VISIBLE_AT_ONCE) continue;
    chars = 0;
    yield;
  }
  return lines.join('\n');
}

/** Names that are words and values that read the same in any font, with nothing that a renderer could fold. */
export function flatPairs(json: string): readonly Pair[] | undefined {
  // A short, flat input is never longer than this. A longer one may be too deep to be written as JSON again.
  if (json.length > LONGEST_FLAT) return undefined;
  const value = parsed(json);
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  if (members.length === 0 || members.length > MOST_PAIRS || JSON.stringify(value) !== json) return undefined;
  const pairs = members.map(([name, member]) => ({ name, value: scalarText(member) }));
  return pairs.every(isQuiet) ? pairs : undefined;
}

const MOST_PAIRS = 5;
const LONGEST_VALUE = 80;
const LONGEST_FLAT = 1_500;

/** A string is shown bare unless it could be taken for another kind of value. */
export function scalarText(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? '' : JSON.stringify(value);
  return value.startsWith('"') || parsed(value) !== undefined ? JSON.stringify(value) : value;
}

function isQuiet({ name, value }: Pair): boolean {
  const readable = value !== '' && value.length <= LONGEST_VALUE && !/^ | $| {2}/.test(value);
  return /^[A-Za-z](?:_?[A-Za-z0-9]){0,30}$/.test(name) && readable && visible(value) === value;
}

/** What every JSON text begins with. */
const BEGINS_JSON = /^[\s"[{\-\dtfn]/;

/** `undefined` for text that is no JSON, as no JSON text means `undefined`. */
export function parsed(json: string): Json | undefined {
  // Most words are found to be no JSON by their first character, because an error costs more than a whole card.
  return BEGINS_JSON.test(json) ? readJson(json) : undefined;
}

function isCompact(json: string): boolean {
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') at = stringEnd(json, at) - 1;
    else if (/\s/.test(sign)) return false;
  }
  return true;
}

/** Deeper members stay in one line. Otherwise a deep input would grow with the square of its depth. */
const DEEPEST_INDENT = 6;

function layOut(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  const breakLine = () => (depth <= DEEPEST_INDENT ? `\n${'  '.repeat(depth)}` : '');
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    switch (sign) {
      case '"': {
        const end = stringEnd(json, at);
        parts.push(json.slice(at, end));
        at = end - 1;
        break;
      }
      case '{':
      case '[':
        depth += 1;
        parts.push(sign, isEmptyAt(json, at) ? '' : breakLine());
        break;
      case '}':
      case ']': {
        const empty = isEmptyAt(json, at - 1);
        const line = depth <= DEEPEST_INDENT;
        depth -= 1;
        parts.push(empty || !line ? '' : breakLine(), sign);
        break;
      }
      case ',':
        parts.push(sign, breakLine() || ' ');
        break;
      case ':':
        parts.push(': ');
        break;
      default:
        parts.push(sign);
    }
  }
  return parts.join('');
}

function isEmptyAt(json: string, at: number): boolean {
  const both = json.slice(at, at + 2);
  return both === '{}' || both === '[]';
}

function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === 0x5c) at += 1;
    else if (sign === 0x22) return at + 1;
  }
  return json.length;
}
