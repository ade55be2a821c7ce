import { randomBytes } from 'node:crypto';
import type { ApiObject } from '../json.ts';

/** What the model says next: text, calls of tools, or both. A plain string is text and nothing else. */
export type Answer = string | WrittenAnswer;

export interface WrittenAnswer {
  readonly content: readonly AnswerPart[];
  /** Chosen from the content unless it is given. */
  readonly stopReason?: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'stop_sequence' | 'pause_turn';
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: ApiObject; readonly id?: string };

export function text(words: string): AnswerPart {
  return { type: 'text', text: words };
}

export function call(name: string, input: ApiObject): AnswerPart {
  return { type: 'tool_use', name, input };
}

/** The whole message, as it is sent where the caller does not stream. */
export function messageOf(answer: Answer, model: string): ApiObject {
  const written = typeof answer === 'string' ? { content: [text(answer)] } : answer;
  const calls = written.content.some((part) => part.type === 'tool_use');
  const size = JSON.stringify(written.content).length;
  const usage = written.usage ?? { inputTokens: 400, outputTokens: Math.ceil(size / 4) };
  return {
    id: `msg_${randomBytes(12).toString('hex')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: written.content.map((part) =>
      part.type === 'text' ? { ...part, citations: null } : { ...part, id: part.id ?? newCallId() },
    ),
    stop_reason: written.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

/** Ids are never the same twice, as from the real API, though everything else is decided by the request. */
function newCallId(): string {
  return `toolu_${randomBytes(12).toString('hex')}`;
}
