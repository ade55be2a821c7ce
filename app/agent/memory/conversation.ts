import type { Message } from '../../../interventions/index.ts';

/**
 * Decides how much of a conversation is kept. Both functions answer with the same list when nothing is to be changed,
 * never split a tool request from its results, and leave the messages they are given as they are.
 */
export interface ConversationManager {
  /** After each invocation. */
  readonly manage: (messages: readonly Message[], context: ReductionContext) => Promise<readonly Message[]>;
  /** The model said that it is too much. Called again with what is left, until the model takes it or nothing can go. */
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

/** From how many input tokens on a conversation is reduced before anybody complains. */
export function proactiveThreshold(proactive: ProactiveReduction | undefined): number {
  if (proactive === undefined) return Number.POSITIVE_INFINITY;
  const { share = 0.7, windowTokens = 200_000 } = proactive;
  return share * windowTokens;
}
