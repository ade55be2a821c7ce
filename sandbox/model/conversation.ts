import type { Answer } from './answer.ts';
import type { MessagesRequest } from './request.ts';

/** A written conversation: whether it is meant, and what is said next, both decided by the request alone. */
export interface Conversation {
  /** What a person writes to begin it, as it is offered to people. Absent where no person begins it by writing. */
  readonly example?: string;
  readonly begins: (said: string) => boolean;
  readonly play: (request: MessagesRequest) => Answer;
}

/** What is said when nothing else fits. */
export function whatICanPlay(conversations: readonly Conversation[]): Answer {
  const examples = conversations.flatMap(({ example }) => (example === undefined ? [] : [`- ${example}`])).join('\n');
  return `I am a script, so I know only a few conversations. Try one of these:\n\n${examples}`;
}
