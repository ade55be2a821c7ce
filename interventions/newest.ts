import type { AppState } from './app-state.ts';
import type { AgentView } from './hooks/loop-event.ts';

/** Remembers a limited number of values, and forgets the oldest first. */
export interface Newest<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

export function createNewest<Value>(limit: number): Newest<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) return;
        kept.delete(oldest);
      }
    },
  };
}

/** Gives each agent its own. Agents may share a handler, and models may give calls of two agents the same id. */
export function forEachAgent<Value>(make: () => Value): (agent: AgentView) => Value {
  const made = new WeakMap<AppState, Value>();
  return ({ appState }) => {
    const own = made.get(appState) ?? make();
    made.set(appState, own);
    return own;
  };
}
