import type { RunState } from '../../journal/index.ts';

/**
 * How much of a conversation the model of this process has been shown. Reading the journal may reveal messages the
 * model has not seen; an answer to fewer messages is dropped.
 */
export interface ShownMessages {
  /** `false` when another process has carried the conversation on. */
  readonly isAll: (state: Pick<RunState, 'said'>) => boolean;
  /** This process has written this many more messages, and its model is shown them. */
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
