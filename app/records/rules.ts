import { z } from 'zod';
import { UserId } from './ids.ts';

export const Effect = z.enum(['open', 'asked', 'guarded']);
export type ToolEffect = z.infer<typeof Effect>;

/**
 * Who may decide: with nobody named, only the requester. An approver is a person (`U…`), a user group (`S…`), the word
 * `requester`, or the word `channel` for everybody in the channel of the thread.
 */
const approvers = z.array(UserId).readonly();
const quorum = z.number().int().positive().optional();

export const Stage = z.object({ approvers, quorum }).readonly();
export type Stage = z.infer<typeof Stage>;

export const StoredDecisionRule = z
  .object({
    approvers,
    selfApproval: z.boolean(),
    /** How many different people have to say yes. Absent: one. */
    quorum,
    /** One after the other, each with people of its own; `approvers` then names all of them. */
    stages: z.array(Stage).readonly().optional(),
  })
  .readonly();
export type StoredDecisionRule = z.infer<typeof StoredDecisionRule>;

/** A rule of the deployment, as cards and the audit name it. */
export const RuledBy = z.object({ name: z.string(), because: z.string().optional() }).readonly();
export type RuledBy = z.infer<typeof RuledBy>;

/** A tool as people are told of it. */
export interface KnownTool {
  readonly name: string;
  /** JSON Schema. */
  readonly inputSchema: unknown;
  readonly effect: ToolEffect;
  readonly approvers: readonly string[];
  /** There for those that only a person's answer ends. */
  readonly wants?: unknown;
}
