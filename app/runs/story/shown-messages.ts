import type { RunState } from '../../journal/index.ts';

/**
 * How much of a conversation the model of this process has been shown. The journal may know more at any moment, and so
 * may the state in memory: whoever looks for an answer reads the rest along. What answers less is not written.
 */
export interface ShownMessages {
  /** `false` when another process has carried the conversation on. */
  readonly isAll: (state: Pick<RunState, 'said'>) => boolean;
  /** This process has written so many more things that are said in it, and its model is shown them. */
  readonly wrote: (count: number) => void;
}

export function createShownMessages({ said }: Pick<RunState, 'said'>): ShownMessages {
  let shown = said.length;
  return {
    isAll: (state) => state.said.length === shown,
    wrote: (count) => {
      shown += count;
    },
  };
}
