import { clone } from './copy.ts';
import type { Json } from './messages.ts';

/** Durable values of an agent. Values are copied on the way in and on the way out. */
export interface AppState {
  readonly get: (key: string) => Json | undefined;
  readonly set: (key: string, value: Json) => void;
  readonly delete: (key: string) => void;
  readonly toJSON: () => Readonly<Record<string, Json>>;
}

export function createAppState(initial: Readonly<Record<string, Json>> = {}): AppState {
  const values = new Map<string, Json>();
  const state: AppState = {
    get: (key) => clone(values.get(key)),
    set: (key, value) => {
      if (typeof key !== 'string' || key === '') {
        throw new TypeError('A key of the agent state is empty. Give it a name.');
      }
      if (!isJson(value)) {
        throw new TypeError(
          `The value for ${JSON.stringify(key)} is not JSON, so it could not be restored. Store data only.`,
        );
      }
      values.set(key, clone(value));
    },
    delete: (key) => {
      values.delete(key);
    },
    toJSON: () => clone(Object.fromEntries(values)),
  };
  for (const [key, value] of Object.entries(initial)) state.set(key, value);
  return state;
}

/** Real data is never nested this deep, and much deeper data cannot be serialised. */
const DEEPEST = 500;
const ROOM_AROUND = 10;

/** Whether a value survives being written as JSON and read again. Never throws. */
export function isJson(value: unknown): value is Json {
  return isJsonWithin(value, new Set(), false);
}

/** As `isJson`, for a value whose members may be `undefined`: written as JSON, they are left out. Items of a list may not. */
export function isAlmostJson(value: unknown): value is Json {
  return isJsonWithin(value, new Set(), true);
}

/** As `isAlmostJson`, for a question. It may hold an input that is itself as deep as is allowed. */
export function isAlmostJsonAround(value: unknown): value is Json {
  return isJsonWithin(value, new Set(), true, DEEPEST + ROOM_AROUND);
}

function isJsonWithin(value: unknown, open: Set<object>, leavesOut: boolean, deepest = DEEPEST): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || open.has(value) || open.size === deepest) return false;
  const items = itemsOf(value);
  if (items === undefined) return false;
  open.add(value);
  const mayLack = leavesOut && !Array.isArray(value);
  const all = items.every((item) => (mayLack && item === undefined) || isJsonWithin(item, open, leavesOut, deepest));
  open.delete(value);
  return all;
}

/** The items of a list or plain object. `undefined` where serialising it would lose something, or run code. */
function itemsOf(value: object): readonly unknown[] | undefined {
  const list = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!list && prototype !== Object.prototype && prototype !== null) return undefined;
  const keys = Reflect.ownKeys(value).filter((key) => !(list && key === 'length'));
  // A list with a gap has too few keys. A list with named members has too many, or other keys.
  if (list && (keys.length !== value.length || keys.some((key, index) => key !== String(index)))) return undefined;
  const items: unknown[] = [];
  for (const key of keys) {
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === 'symbol' || member === undefined || !('value' in member)) return undefined;
    items.push(member.value);
  }
  return items;
}
