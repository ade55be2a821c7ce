import { z } from 'zod';
import { UserId } from './ids.ts';

export const Effect = z.enum(['open', 'asked', 'guarded']);
export type ToolEffect = z.infer<typeof Effect>;

/**
 * Who may decide. An empty list means only the requester. An approver is a person (`U…`), a user group (`S…`), the word
 * `requester`, or the word `channel` for every person in the channel of the thread.
 */
const approvers = z.array(UserId).readonly();
const quorum = z.number().int().positive().optional();

/** Stands for the approvers that a function names. No person has this id, so before they are looked up no person may decide. */
export const LOOKED_UP = UserId.parse('looked-up');

/** Whether a function of the deployment names the approvers. */
export function isLookedUp({ approvers, lookedUp }: StoredDecisionRule): boolean {
  return lookedUp === true || approvers.includes(LOOKED_UP);
}

export const Stage = z.object({ approvers, quorum }).readonly();
export type Stage = z.infer<typeof Stage>;

export const StoredDecisionRule = z
  .object({
    approvers,
    selfApproval: z.boolean(),
    /** How many different people have to approve. Absent: one. */
    quorum,
    /** Stages in order, each with its own approvers. `approvers` then names the people of all stages. */
    stages: z.array(Stage).readonly().optional(),
    /** A function of the deployment named these approvers when people were asked. */
    lookedUp: z.literal(true).optional(),
  })
  .readonly();
export type StoredDecisionRule = z.infer<typeof StoredDecisionRule>;

/**
 * A policy rule of the deployment, as cards and the audit name it. `unchanged`: the tool asks the same people in the same way
 * without it.
 */
export const RuledBy = z
  .object({ name: z.string(), because: z.string().optional(), unchanged: z.literal(true).optional() })
  .readonly();
export type RuledBy = z.infer<typeof RuledBy>;

/** A tool as people see it listed. */
export interface KnownTool {
  readonly name: string;
  /** JSON Schema. */
  readonly inputSchema: unknown;
  readonly effect: ToolEffect;
  readonly approvers: readonly string[];
  /** Set for tools whose result is a person's answer. */
  readonly wants?: unknown;
}
