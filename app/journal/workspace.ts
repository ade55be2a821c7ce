import { z } from 'zod';
import { RunId, ThreadKey } from '../records.ts';

/**
 * What concerns a whole workspace, in a journal of its own. It is kept for ever, so it can say of a run what the run's own
 * journal cannot: that it existed, how long it was, and the hash of its last line. Then a run that is removed, and one
 * whose end is cut off, are missed.
 */
export const WorkspaceBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run-sealed'),
    run: RunId,
    thread: ThreadKey,
    /** How many entries the run had, and the hash of the last. Later ones (receipts, refused presses) may follow. */
    version: z.number().int().positive(),
    head: z.string(),
  }),
]);
export type WorkspaceBody = z.infer<typeof WorkspaceBody>;
export type Seal = Extract<WorkspaceBody, { type: 'run-sealed' }>;
