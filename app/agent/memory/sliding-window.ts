import type { Message } from '../../../interventions/index.ts';
import type { ConversationManager, ProactiveReduction } from './conversation.ts';
import { cutPoint } from './cut.ts';
import { shrinkOldestResults } from './shrink.ts';

export interface SlidingWindowOptions {
  /** Messages that are kept. 0 keeps none after each invocation. Default 40. */
  readonly windowSize?: number;
  /** Shortens large tool results before messages are dropped. Default yes. */
  readonly shrinkResults?: boolean;
  readonly proactive?: ProactiveReduction;
}

/** Keeps the newest messages. If the window would begin between a request and its results, it begins later. */
export function slidingWindow(options: SlidingWindowOptions = {}): ConversationManager {
  const { windowSize = 40, shrinkResults = true, proactive } = options;
  if (!Number.isInteger(windowSize) || windowSize < 0) {
    throw new TypeError(`A window of ${windowSize} messages cannot be kept. Give a whole number, 0 or more.`);
  }
  return {
    proactive,
    manage: async (messages, { warn }) => {
      if (messages.length <= windowSize) return messages;
      if (windowSize === 0) return [];
      const at = cutPoint(messages, messages.length - windowSize);
      if (at !== undefined) return messages.slice(at);
      warn(`No message of the last ${windowSize} can begin a conversation, so all ${messages.length} are kept.`);
      return messages;
    },
    reduce: async (messages) => {
      const shrunk = shrinkResults ? shrinkOldestResults(messages) : messages;
      return shrunk === messages ? cutOldest(messages, windowSize) : shrunk;
    },
  };
}

/** Cuts the conversation down to the window, or by the oldest exchange when it fits the window already. */
function cutOldest(messages: readonly Message[], windowSize: number): readonly Message[] {
  const at = cutPoint(messages, Math.max(messages.length - windowSize, 1)) ?? cutPoint(messages, 1);
  return at === undefined ? messages : messages.slice(at);
}
