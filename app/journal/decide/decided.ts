import type { EntryBody } from '../facts/entries.ts';

/**
 * The deciding functions: state and wish in, new entries or a refusal out. Pure, and the only place where a transition
 * is written. Whoever calls them appends what they return at the version they were asked with, or asks again.
 */
export type Decided<Result> = {
  readonly entries: readonly EntryBody[];
  readonly result: Result;
  readonly notAfterMs?: number;
};

/** Nothing has to be written. */
export const nothing = <Result>(result: Result): Decided<Result> => ({ entries: [], result });
