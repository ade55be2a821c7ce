import type { Hint, HintListener } from '../store.ts';

export interface Hints {
  /** Returns how many processes got it: 1 if this process watches, otherwise 0. */
  readonly publish: (hint: Hint) => number;
  readonly watch: (listener: HintListener) => { readonly close: () => Promise<void> };
}

/** Hints within one process. Listeners run later, so that none can delay or break an append. */
export function createHints(): Hints {
  const listeners = new Set<HintListener>();
  const tell = (listener: HintListener, what: () => void) => {
    setImmediate(() => {
      if (listeners.has(listener)) what();
    });
  };
  return {
    publish: (hint) => {
      for (const listener of listeners) tell(listener, () => listener.onHint(hint));
      return Math.min(listeners.size, 1);
    },
    watch: (given) => {
      // A copy, so that one listener given twice counts as two.
      const listener = { ...given };
      listeners.add(listener);
      tell(listener, listener.onGap);
      return {
        close: async () => {
          listeners.delete(listener);
        },
      };
    },
  };
}
