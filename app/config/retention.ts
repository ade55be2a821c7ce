import { z } from 'zod';

/** A message that is delivered once more must not begin a run that was removed, so a run outlives its deliveries. */
const SHORTEST_MS = 2 * 24 * 60 * 60 * 1000;

/** When runs that ended are removed, and where each is written before. */
export const RetentionSettings = z.strictObject({
  /** Counted from the end of a run, as it is set when it ends. */
  afterMs: z.number('must be a number').int('must be a whole number').min(SHORTEST_MS, 'must be at least 2 days'),
  /** One file of JSON Lines for each run. */
  folder: z.string('must be a path').min(1, 'must be a path'),
  /** With the inputs of tool calls. */
  inputs: z.boolean('must be true or false').default(false),
});
