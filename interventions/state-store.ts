import { copy } from './copy.ts';

/** Keeps the state of agents. One hard promise: of two writers with the same version in hand, one is refused. */
export interface StateStore<State> {
  readonly load: (key: string) => Promise<{ readonly version: number; readonly state: State } | undefined>;
  /** Version 0 for what does not exist yet. */
  readonly save: (key: string, expectedVersion: number, state: State) => Promise<'saved' | 'conflict'>;
}

/** For tests and for trying it out: what is kept here is gone with the memory. */
export function createMemoryStore<State>(): StateStore<State> {
  const kept = new Map<string, { readonly version: number; readonly state: State }>();
  return {
    load: async (key) => copy(kept.get(key)),
    save: async (key, expectedVersion, state) => {
      if ((kept.get(key)?.version ?? 0) !== expectedVersion) return 'conflict';
      kept.set(key, { version: expectedVersion + 1, state: copy(state) });
      return 'saved';
    },
  };
}
