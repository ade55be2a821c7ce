import type { Json } from '../messages.ts';

/** A question for a person that outlives whoever asked it. Data only. */
export interface Interrupt {
  readonly id: string;
  readonly name: string;
  readonly source: 'tool' | 'hook';
  readonly reason?: Json;
  /** Absent until somebody answered. */
  readonly response?: Json;
  /** What exactly was asked about: an answer is good for this and nothing else. */
  readonly digest?: string;
  /** The answers that count. Absent: any. */
  readonly answers?: readonly Json[];
  /** Approvals so far, when several people must approve. */
  readonly approvals?: readonly Json[];
  readonly expiresAtMs?: number;
  readonly toolUseId?: string;
}

export interface InterruptRequest {
  readonly name: string;
  readonly reason?: Json;
  /** An answer that is known already: nothing pauses. */
  readonly response?: Json;
}

export type RaiseInterrupt = (request: InterruptRequest) => Json;

/** Where a question is raised. Its id is a pure function of this, so a restart finds the same question again. */
export interface Place {
  readonly agentId: string;
  readonly kind: 'beforeTools' | 'beforeToolCall' | 'tool' | 'beforeInvocation' | 'beforeModelCall' | 'afterToolCall';
  readonly turn: number;
  readonly attempt: number;
  /**
   * Counts new evaluations within one attempt, after an edit or after what allowed the call was gone; outside tool calls,
   * the questions that were settled before.
   */
  readonly round?: number;
  readonly toolUseId?: string;
}

/**
 * As JSON, so that no name can be written to look like another place. What was asked about is a part of it: when the
 * input changes, the old card answers nothing.
 */
export function interruptId(place: Place, name: string, digest?: string): string {
  const { agentId, turn, attempt, round = 0, kind, toolUseId } = place;
  return JSON.stringify(['v1', agentId, turn, attempt, round, kind, toolUseId ?? null, name, digest ?? null]);
}

/** The ones that nobody has answered. */
export function unanswered(interrupts: readonly Interrupt[]): readonly Interrupt[] {
  return interrupts.filter(({ response }) => response === undefined);
}
