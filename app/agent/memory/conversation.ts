import type { Message } from '../../../interventions/index.ts';

/**
 * Decides how much of a conversation is kept. Both functions return the same list when nothing changes, never split a
 * tool request from its results, and do not change the messages they are given.
 */
export interface ConversationManager {
  /** Called after each invocation. */
  readonly manage: (messages: readonly Message[], context: ReductionContext) => Promise<readonly Message[]>;
  /** Called when the conversation is too long for the model, again and again until the model takes it or nothing can go. */
  readonly reduce: (messages: readonly Message[], context: ReductionContext) => Promise<readonly Message[]>;
  /** Reduces before the model complains, when the last request took more than this share of the window. */
  readonly proactive?: ProactiveReduction | undefined;
}

export interface ReductionContext {
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

export interface ProactiveReduction {
  /** Default 0.7. */
  readonly share?: number;
  /** Default 200,000. */
  readonly windowTokens?: number;
}

/** The number of input tokens above which a conversation is reduced before the model complains. */
export function proactiveThreshold(proactive: ProactiveReduction | undefined): number {
  if (proactive === undefined) return Number.POSITIVE_INFINITY;
  const { share = 0.7, windowTokens = 200_000 } = proactive;
  return share * windowTokens;
}
