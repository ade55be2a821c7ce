import { z } from 'zod';

/** A repeated delivery must not begin a removed run again, so a run is kept longer than Slack repeats its deliveries. */
const SHORTEST_MS = 2 * 24 * 60 * 60 * 1000;

/** When ended runs are removed, and where each is archived before. */
export const RetentionSettings = z.strictObject({
  /** Counted from the end of a run. The setting at that time holds. */
  afterMs: z.number('must be a number').int('must be a whole number').min(SHORTEST_MS, 'must be at least 2 days'),
  /** One file of JSON Lines for each run. It holds every word in clear. */
  folder: z.string('must be a path').min(1, 'must be a path'),
  inputs: z
    .never(
      'is no setting any more: the archive of a run holds all of it, inputs too. Remove it, and protect the folder',
    )
    .optional(),
});
