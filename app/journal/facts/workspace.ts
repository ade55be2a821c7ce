import { z } from 'zod';
import { Effect, RunId, ThreadKey, UserId } from '../../records/index.ts';

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
  /** What the deployment lays down, when that is another than what stands here last. */
  z.object({
    type: z.literal('configured'),
    /** Hash of all the rest: one version of the policy. */
    configuration: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        effect: Effect,
        definition: z.string(),
        policy: z.string(),
        approvers: z.array(z.string()),
      }),
    ),
    rules: z.array(z.string()),
    settings: z.record(z.string(), z.string()),
  }),
  /** Somebody installed the app, for the first time or again. The token is not here: an entry can never be forgotten. */
  z.object({ type: z.literal('installed'), team: z.string(), bot: UserId, by: UserId.optional() }),
  /** The app was removed, or its token taken back. */
  z.object({ type: z.literal('uninstalled'), team: z.string(), cause: z.string() }),
  /** It is exported and about to be removed, because its time is over. */
  z.object({
    type: z.literal('run-retired'),
    run: RunId,
    version: z.number().int().positive(),
    head: z.string(),
  }),
]);
export type WorkspaceBody = z.infer<typeof WorkspaceBody>;
export type Seal = Extract<WorkspaceBody, { type: 'run-sealed' }>;
export type Configured = Extract<WorkspaceBody, { type: 'configured' }>;
