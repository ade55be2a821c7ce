import {
  type ContentBlock,
  InterruptedStateError,
  type InterruptResponseBlock,
  type Message,
} from '../../../../interventions/index.ts';
import { textMessage } from '../../index.ts';
import { checkStored, StoredBlocks, StoredMessages } from '../memory/stored.ts';

/** What an agent can be invoked with: text, blocks, messages, answers to its questions, or nothing. */
export type AgentInput =
  | string
  | readonly ContentBlock[]
  | readonly Message[]
  | readonly InterruptResponseBlock[]
  | null
  | undefined;

export type GivenInput =
  | { readonly type: 'messages'; readonly messages: readonly Message[] }
  | { readonly type: 'answers'; readonly answers: readonly InterruptResponseBlock[] };

/** Reads one of the five forms of input, and refuses anything else. */
export function readInput(input: AgentInput): GivenInput {
  if (input === undefined || input === null) return { type: 'messages', messages: [] };
  if (typeof input === 'string') {
    if (input.trim() === '') throw new TypeError('The input is an empty text, which says nothing. Leave it out.');
    return { type: 'messages', messages: [textMessage('user', input)] };
  }
  const items: readonly unknown[] = Array.isArray(input) ? input : [];
  if (Array.isArray(input) && items.length === 0) {
    throw new TypeError(
      'The input is an empty list. Put a block, a message or an answer in it, or leave the input out to go on with the conversation.',
    );
  }
  if (items.some((item) => isAnswer(item) && typeof item.interruptResponse?.interruptId !== 'string')) {
    throw new TypeError(
      'An answer does not say to which question. Give a list of { interruptResponse: { interruptId, response } }.',
    );
  }
  if (items.length > 0 && items.every(isAnswer)) return { type: 'answers', answers: items };
  if (items.some(isAnswer)) {
    throw new InterruptedStateError(
      'The input mixes answers with other things. Give a list of { interruptResponse: { interruptId, response } } alone.',
    );
  }
  if (items.length > 0 && items.every(isBlock)) {
    checkStored(StoredBlocks, items, UNUSABLE);
    return { type: 'messages', messages: [{ role: 'user', content: items }] };
  }
  if (items.length > 0 && items.every(isMessage)) {
    checkStored(StoredMessages, items, UNUSABLE);
    return { type: 'messages', messages: items };
  }
  throw new TypeError(
    'The input has no known form. Give a text, a list of content blocks, of messages or of answers ({ interruptResponse: { interruptId, response } }), or nothing.',
  );
}

const UNUSABLE = { what: 'The input', next: 'Give each block what its type has, such as { type: "text", text }.' };

const BLOCKS: ReadonlySet<unknown> = new Set<ContentBlock['type']>([
  'text',
  'thinking',
  'toolUse',
  'toolResult',
  'image',
  'document',
  'opaque',
]);

function isAnswer(item: unknown): item is InterruptResponseBlock {
  return typeof item === 'object' && item !== null && 'interruptResponse' in item;
}

function isBlock(item: unknown): item is ContentBlock {
  return typeof item === 'object' && item !== null && 'type' in item && BLOCKS.has(item.type);
}

function isMessage(item: unknown): item is Message {
  if (typeof item !== 'object' || item === null || !('role' in item) || !('content' in item)) return false;
  const { role, content } = item;
  return (role === 'user' || role === 'assistant') && Array.isArray(content) && content.every(isBlock);
}
