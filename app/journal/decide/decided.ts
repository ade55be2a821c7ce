import type { EntryBody } from '../facts/entries.ts';

/**
 * The result of a deciding function, which takes the state and a wish, and returns new entries or a refusal. These functions
 * are pure, and the only place that makes entries. The caller appends the entries at the version of that state; after a
 * conflict it decides again.
 */
export type Decided<Result> = {
  readonly entries: readonly EntryBody[];
  readonly result: Result;
  readonly notAfterMs?: number;
};

/** Nothing has to be written. */
export const nothing = <Result>(result: Result): Decided<Result> => ({ entries: [], result });
