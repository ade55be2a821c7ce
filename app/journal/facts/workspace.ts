import { z } from 'zod';
import type { Json } from '../../../interventions/index.ts';
import { Effect, RunId, ThreadKey, TrustId, UserId } from '../../records/index.ts';

const JsonValue = z.custom<Json>((value) => value !== undefined);

/**
 * The entries of a workspace's own journal. It is kept for ever, and records what a run's own journal cannot prove: that the
 * run existed, how long it was, and the hash of its last line. With it, the audit detects a removed or truncated run.
 */
export const WorkspaceBody = z.discriminatedUnion('type', [
  /** Written before the model is asked for the first time. Versions before 0.2 wrote none. It may be written twice. */
  z.object({ type: z.literal('run-begun'), run: RunId, thread: ThreadKey }),
  z.object({
    type: z.literal('run-sealed'),
    run: RunId,
    thread: ThreadKey,
    /** How many entries the run had, and the hash of the last. Later entries (receipts, refused presses) may follow. */
    version: z.number().int().positive(),
    head: z.string(),
  }),
  /** A trust was revoked: how many entries it had then, and the hash of the last. It may be written twice. */
  z.object({
    type: z.literal('trust-ended'),
    grant: TrustId,
    by: UserId,
    version: z.number().int().positive(),
    head: z.string(),
  }),
  /** The deployment's tools, rules and settings, written when they differ from the last such entry. */
  z.object({
    type: z.literal('configured'),
    /** Hash of the other fields. It names this version of the policy. */
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
  /** A person installed the app, for the first time or again. The token is not here, because an entry cannot be deleted. */
  z.object({ type: z.literal('installed'), team: z.string(), bot: UserId, by: UserId.optional() }),
  /** The app was removed, or its token was revoked. */
  z.object({ type: z.literal('uninstalled'), team: z.string(), cause: z.string() }),
  /**
   * A tool of a tool server, as it was first seen, seen otherwise, or allowed. Tools are the same for all workspaces, so this
   * stands in the journal of the deployment alone.
   */
  z.object({
    type: z.literal('tool-pinned'),
    how: z.enum(['pinned', 'seen', 'allowed']),
    server: z.string(),
    /** The name that the server uses. */
    tool: z.string(),
    /** The name that the model and people see. */
    name: z.string(),
    toolHash: z.string(),
    definition: JsonValue,
    /** When that was, in an entry that was moved from the file of an older version. */
    at: z.iso.datetime().optional(),
  }),
  /** The run is past its retention, archived, and about to be removed. */
  z.object({
    type: z.literal('run-retired'),
    run: RunId,
    version: z.number().int().positive(),
    head: z.string(),
    /** The file with its lines and items, and the SHA-256 of the file in hex. Versions before 0.2 wrote an export instead. */
    archive: z.object({ file: z.string().regex(/^[\w-]+\.jsonl$/), sha256: z.string() }).optional(),
  }),
]);
export type WorkspaceBody = z.infer<typeof WorkspaceBody>;
export type Seal = Extract<WorkspaceBody, { type: 'run-sealed' }>;
export type Retired = Extract<WorkspaceBody, { type: 'run-retired' }>;
export type Archived = NonNullable<Retired['archive']>;
export type TrustEnd = Extract<WorkspaceBody, { type: 'trust-ended' }>;
export type ToolPinned = Extract<WorkspaceBody, { type: 'tool-pinned' }>;
export type Configured = Extract<WorkspaceBody, { type: 'configured' }>;
