import { read } from '../canonical.ts';
import type { InterventionEvent, ToolView } from '../hooks/events.ts';
import { shown } from '../hooks/shown.ts';

/** What a gate judged, as it was then. */
export interface SeenEvent {
  /** The call, piece by piece, or one text that says the same. */
  readonly pieces: readonly unknown[];
  readonly tool: ToolView | undefined;
}

/** Takes a small plain call apart. That is several times as quick as making the text of it, and is done for each call. */
export function see(event: InterventionEvent): SeenEvent {
  if (event.type !== 'beforeToolCall') return { pieces: [shown(event)], tool: undefined };
  const { name, input } = event.effective();
  const pieces: unknown[] = [name];
  return { pieces: takeApart(input, pieces, 0) ? pieces : [shown(event)], tool: event.tool };
}

export function same(one: SeenEvent, other: SeenEvent): boolean {
  if (one.tool !== other.tool || one.pieces.length !== other.pieces.length) return false;
  return one.pieces.every((piece, index) => Object.is(piece, other.pieces[index]));
}

/** Unlike texts, these cannot be in an input that is taken apart. */
const LIST = Symbol('list');
const OBJECT = Symbol('object');

const DEEPEST = 32;

/** Adds the pieces of a value, which differ wherever its text differs. `false` for what only the text can tell. */
function takeApart(value: unknown, pieces: unknown[], depth: number): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null) {
    pieces.push(value);
    return true;
  }
  const list = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (depth >= DEEPEST || (!list && prototype !== Object.prototype && prototype !== null)) return false;
  if (list) {
    pieces.push(LIST, value.length);
    for (let index = 0; index < value.length; index += 1) {
      if (!takeApart(read(value, `${index}`), pieces, depth + 1)) return false;
    }
    return true;
  }
  const keys = Object.keys(value).sort();
  pieces.push(OBJECT, keys.length);
  for (const key of keys) {
    pieces.push(key);
    if (!takeApart(read(value, key), pieces, depth + 1)) return false;
  }
  return true;
}
