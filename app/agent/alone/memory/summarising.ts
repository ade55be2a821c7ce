import type { Message } from '../../../../interventions/index.ts';
import { type ConversationManager, cutPoint, type ProactiveReduction } from '../../index.ts';

export interface SummarisingOptions {
  /** Summarises these messages. Usually a model with a prompt of its own. */
  readonly summarise: (messages: readonly Message[], context: { readonly signal: AbortSignal }) => Promise<string>;
  /** How much of the conversation one summary replaces, from 0.1 to 0.8. Default 0.3. */
  readonly share?: number;
  /** How many of the newest messages are never summarised. Default 10. */
  readonly keepNewest?: number;
  readonly proactive?: ProactiveReduction;
}

/**
 * Replaces the oldest messages by a summary, once the conversation is too long for the model. The summary is a user
 * message marked as not from a person: text that a model wrote must not speak for one.
 */
export function summarising(options: SummarisingOptions): ConversationManager {
  const { summarise, share = 0.3, keepNewest = 10, proactive } = options;
  if (!(share >= 0.1 && share <= 0.8)) {
    throw new TypeError(`A share of ${share} of the conversation cannot be summarised. Give 0.1 to 0.8.`);
  }
  return {
    proactive,
    manage: async (messages) => messages,
    reduce: async (messages, { signal, warn }) => {
      const most = messages.length - keepNewest;
      // Summarising a single message, which may be the last summary, would make nothing shorter.
      const at = cutPoint(messages, Math.max(2, Math.floor(messages.length * share)));
      if (at === undefined || at > most) {
        warn(`Only ${messages.length} messages are left, and the newest ${keepNewest} are not summarised.`);
        return messages;
      }
      const text = (await summarise(messages.slice(0, at), { signal })).trim();
      if (text === '')
        throw new Error(
          'The summary of a conversation was empty, so nothing was replaced by it. Check what `summarise` returns.',
        );
      return [summaryMessage(text), ...messages.slice(at)];
    },
  };
}

function summaryMessage(text: string): Message {
  const content = [{ type: 'text' as const, text: `Summary of what was said before:\n${text}` }];
  return { role: 'user', origin: 'intervention', content };
}
