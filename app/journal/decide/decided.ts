import type { EntryBody } from '../facts/entries.ts';

/**
 * The result of a deciding function. It takes the state of a journal and a wish, and returns new entries or a refusal.
 * These functions are pure, and the only place that makes entries. The caller appends the entries if nothing else was
 * appended since that state. If something was, it decides again.
 */
export type Decided<Result> = {
  readonly entries: readonly EntryBody[];
  readonly result: Result;
  /** After this time by the store's clock, the entries are not written any more. */
  readonly notAfterMs?: number;
};

/** Nothing has to be written. */
export const nothing = <Result>(result: Result): Decided<Result> => ({ entries: [], result });
