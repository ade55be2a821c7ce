import { copy } from './copy.ts';
import type { Json } from './messages.ts';

/** Durable values of an agent. What comes out is a copy, and so is what goes in. */
export interface AppState {
  readonly get: (key: string) => Json | undefined;
  readonly set: (key: string, value: Json) => void;
  readonly delete: (key: string) => void;
  readonly toJSON: () => Readonly<Record<string, Json>>;
}

export function createAppState(initial: Readonly<Record<string, Json>> = {}): AppState {
  const values = new Map<string, Json>();
  const state: AppState = {
    get: (key) => copy(values.get(key)),
    set: (key, value) => {
      if (typeof key !== 'string' || key === '') {
        throw new TypeError('A key of the agent state is empty. Give it a name.');
      }
      if (!isJson(value)) {
        throw new TypeError(
          `The value for ${JSON.stringify(key)} is not JSON, so it could not be restored. Store data only.`,
        );
      }
      values.set(key, copy(value));
    },
    delete: (key) => {
      values.delete(key);
    },
    toJSON: () => copy(Object.fromEntries(values)),
  };
  for (const [key, value] of Object.entries(initial)) state.set(key, value);
  return state;
}

/** Would this survive being written down and read again? */
export function isJson(value: unknown, open: ReadonlySet<object> = new Set()): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || open.has(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  const deeper = new Set(open).add(value);
  return Object.values(value).every((item) => isJson(item, deeper));
}
