import type { Json } from '../messages.ts';

/** A question for a person that outlives the invocation that asked it. Data only. */
export interface Interrupt {
  readonly id: string;
  readonly name: string;
  readonly source: 'tool' | 'hook';
  /** The handler whose confirm this is. Absent when code called `interrupt()`. */
  readonly handler?: string;
  readonly reason?: Json;
  /** Absent until a person has answered. */
  readonly response?: Json;
  /** The digest of what was asked about. An answer counts for exactly this. */
  readonly digest?: string;
  /** The answers that count. Absent: any. */
  readonly answers?: readonly Json[];
  /** Approvals so far, when several people must approve. */
  readonly approvals?: readonly Json[];
  readonly expiresAtMs?: number;
  readonly toolUseId?: string;
  /** Why the last answer left the question open. */
  readonly problem?: string;
}

export interface InterruptRequest {
  readonly name: string;
  readonly reason?: Json;
  /** An answer that is known already: the run does not pause. */
  readonly response?: Json;
  /** The answers that count. Absent: any. */
  readonly answers?: readonly Json[];
  readonly expiresAtMs?: number;
  /** Why an earlier answer left the question open. */
  readonly problem?: string;
}

export type RaiseInterrupt = (request: InterruptRequest) => Json;

/** Where a question is raised. The id of the question is a pure function of this, so a restart finds the same question. */
export interface Place {
  readonly agentId: string;
  readonly kind: 'beforeTools' | 'beforeToolCall' | 'tool' | 'beforeInvocation' | 'beforeModelCall' | 'afterToolCall';
  readonly turn: number;
  readonly attempt: number;
  /**
   * Counts evaluations within one try, after an edit or after what allowed the call was lost. Outside tool calls,
   * counts the questions that were settled before.
   */
  readonly round?: number;
  readonly toolUseId?: string;
}

/**
 * The id of a question. It is JSON, so that no name can look like another place. It contains the digest: when the input
 * changes, an answer to the old question does not count.
 */
export function interruptId(place: Place, name: string, digest?: string): string {
  const { agentId, turn, attempt, round = 0, kind, toolUseId } = place;
  return JSON.stringify(['v1', agentId, turn, attempt, round, kind, toolUseId ?? null, name, digest ?? null]);
}

/** The questions without an answer. */
export function unanswered(interrupts: readonly Interrupt[]): readonly Interrupt[] {
  return interrupts.filter(({ response }) => response === undefined);
}

/** The question as it was before an answer. */
export function withoutResponse({ response: _response, problem: _problem, ...interrupt }: Interrupt): Interrupt {
  return interrupt;
}
