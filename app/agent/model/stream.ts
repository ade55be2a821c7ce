import type {
  StopReason as ProviderStop,
  RawContentBlockDelta,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { type ContentBlock, isJson, type Json, type StopReason, unreachable } from '../../../interventions/index.ts';
import { isJsonObject, readJson } from '../../json.ts';
import type { ModelAnswer, Usage } from '../ports.ts';
import { ModelError } from './error.ts';

/**
 * Puts an answer together from the events of its stream. `answer` throws until the last event has come, so that half an
 * answer is never acted on.
 */
export interface AnswerBuilder {
  readonly add: (event: RawMessageStreamEvent) => void;
  readonly answer: () => ModelAnswer;
}

export function createAnswerBuilder(onText: (text: string) => void): AnswerBuilder {
  const parts = new Map<number, Part>();
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  let stopReason: ProviderStop | null = null;
  let whole = false;

  const add = (event: RawMessageStreamEvent): void => {
    switch (event.type) {
      case 'message_start':
        usage = counted(usage, event.message.usage);
        return;
      case 'content_block_start': {
        const part = begin(event.content_block);
        parts.set(event.index, part);
        if (part.type === 'text' && part.text !== '') onText(part.text);
        return;
      }
      case 'content_block_delta': {
        const part = parts.get(event.index);
        if (part !== undefined) extend(part, event.delta, onText);
        return;
      }
      case 'content_block_stop': {
        const part = parts.get(event.index);
        if (part !== undefined) part.ended = true;
        return;
      }
      case 'message_delta':
        stopReason = event.delta.stop_reason;
        usage = counted(usage, event.usage);
        return;
      case 'message_stop':
        whole = true;
        return;
      default:
        // The provider adds kinds of events from time to time and says that they are safe to ignore.
        return;
    }
  };

  const answer = (): ModelAnswer => {
    const all = [...parts.values()];
    if (!whole || all.some((part) => !part.ended)) throw new ModelError('cut');
    const content = all.flatMap((part) => finish(part, stopReason));
    const asks = content.some((block) => block.type === 'toolUse');
    return { message: { role: 'assistant', content }, stopReason: toStopReason(stopReason, asks), usage };
  };

  return { add, answer };
}

/** A block while it grows. */
type Part = { ended: boolean } & (
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'toolUse'; readonly id: string; readonly name: string; readonly start: unknown; json: string }
  | { readonly type: 'opaque'; readonly value: Readonly<Record<string, unknown>>; json: string }
);

function begin(block: Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block']): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ended: false };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature ?? '', ended: false };
    case 'tool_use':
      return { type: 'toolUse', id: block.id, name: block.name, start: block.input, json: '', ended: false };
    default:
      return { type: 'opaque', value: { ...block }, json: '', ended: false };
  }
}

function extend(part: Part, delta: RawContentBlockDelta, onText: (text: string) => void): void {
  if (delta.type === 'text_delta' && part.type === 'text') {
    part.text += delta.text;
    onText(delta.text);
  } else if (delta.type === 'thinking_delta' && part.type === 'thinking') part.thinking += delta.thinking;
  else if (delta.type === 'signature_delta' && part.type === 'thinking') part.signature += delta.signature;
  else if (delta.type === 'input_json_delta' && (part.type === 'toolUse' || part.type === 'opaque')) {
    part.json += delta.partial_json;
  }
}

function finish(part: Part, stop: ProviderStop | null): readonly ContentBlock[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'thinking':
      return [{ type: 'thinking', thinking: part.thinking, signature: part.signature }];
    case 'toolUse': {
      // The answer was cut by a limit or refused, so no call in it counts: not a half one, nor a whole one beside it.
      if (stop !== 'tool_use' && stop !== 'end_turn') return [];
      const json = part.json === '' ? JSON.stringify(part.start ?? {}) : part.json;
      // The provider calls it whole, but it is not JSON. Every tool refuses the plain text, so the model hears of it.
      const input = parseJson(json) ?? json.slice(0, UNREADABLE_CHARS);
      return [{ type: 'toolUse', toolUseId: part.id, name: part.name, input }];
    }
    case 'opaque': {
      const value: Json = JSON.parse(JSON.stringify(part.value));
      const input = part.json === '' ? undefined : parseJson(part.json);
      return [{ type: 'opaque', value: input === undefined || !isJsonObject(value) ? value : { ...value, input } }];
    }
    default:
      return unreachable(part);
  }
}

const UNREADABLE_CHARS = 2_000;

/** Parses JSON; `undefined` also for a value nested so deeply that it could not be written down again. */
function parseJson(text: string): Json | undefined {
  const value = readJson(text);
  return isJson(value) ? value : undefined;
}

function toStopReason(reason: ProviderStop | null, asksForTools: boolean): StopReason {
  switch (reason) {
    case 'end_turn':
      return asksForTools ? 'toolUse' : 'endTurn';
    case 'tool_use':
      return 'toolUse';
    case 'max_tokens':
      return 'maxTokens';
    case 'stop_sequence':
      return 'stopSequence';
    case 'pause_turn':
      return 'pauseTurn';
    case 'refusal':
      return 'refusal';
    case 'model_context_window_exceeded':
      return 'contextWindowExceeded';
    default:
      // An unknown reason taken for a known one could start something. Without any reason the end is missing.
      throw reason === null
        ? new ModelError('cut', { detail: 'the answer ended without a reason' })
        : new ModelError('bad-request', {
            detail: `the answer ended for a reason this version does not know: ${reason}`,
          });
  }
}

interface ProviderUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
}

/** The provider counts upwards through a stream: a later number replaces an earlier one, a missing number does not. */
function counted(before: Usage, now: ProviderUsage): Usage {
  return {
    inputTokens: now.input_tokens ?? before.inputTokens,
    outputTokens: now.output_tokens ?? before.outputTokens,
    cacheReadTokens: now.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: now.cache_creation_input_tokens ?? before.cacheWriteTokens,
  };
}
