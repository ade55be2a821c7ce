import { clone } from './copy.ts';

/** Stores the state of agents. When two writers expect the same version, one must be refused. */
export interface StateStore<State> {
  readonly load: (key: string) => Promise<{ readonly version: number; readonly state: State } | undefined>;
  /** Expect version 0 for a key that does not exist yet. */
  readonly save: (key: string, expectedVersion: number, state: State) => Promise<'saved' | 'conflict'>;
}

/** A store in memory, for tests and for trying the library out. */
export function createMemoryStore<State>(): StateStore<State> {
  const kept = new Map<string, { readonly version: number; readonly state: State }>();
  return {
    load: async (key) => clone(kept.get(key)),
    save: async (key, expectedVersion, state) => {
      if ((kept.get(key)?.version ?? 0) !== expectedVersion) return 'conflict';
      kept.set(key, { version: expectedVersion + 1, state: clone(state) });
      return 'saved';
    },
  };
}
