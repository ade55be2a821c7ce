import { type ApiJson, type ApiObject, isObject } from '../json.ts';

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: ApiObject;
}

/** A message as the events that the real API sends for it: words in several deltas, input of tools in several too. */
export function eventsOf(message: ApiObject): readonly StreamEvent[] {
  const usage = isObject(message.usage) ? message.usage : {};
  const content = Array.isArray(message.content) ? message.content : [];
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  return [
    named({ type: 'message_start', message: start }),
    named({ type: 'ping' }),
    ...content.flatMap(partEvents),
    named({
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    named({ type: 'message_stop' }),
  ];
}

export function encode({ event, data }: StreamEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function partEvents(part: ApiJson, index: number): readonly StreamEvent[] {
  if (!isObject(part)) return [];
  const isText = part.type === 'text';
  const empty = isText ? { ...part, text: '' } : { ...part, input: {} };
  const whole = isText ? String(part.text ?? '') : JSON.stringify(part.input ?? {});
  const deltas = pieces(whole).map((piece) =>
    named({
      type: 'content_block_delta',
      index,
      delta: isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
    }),
  );
  // The real API opens every tool input with an empty delta.
  const opening = isText
    ? []
    : [named({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '' } })];
  return [
    named({ type: 'content_block_start', index, content_block: empty }),
    ...opening,
    ...deltas,
    named({ type: 'content_block_stop', index }),
  ];
}

const PIECE_LEAST = 12;
const PIECES_MOST = 200;

/** Pieces that may end anywhere, in the middle of a word or of a JSON string, but never inside one character. */
function pieces(whole: string): readonly string[] {
  const characters = [...whole];
  const size = Math.max(PIECE_LEAST, Math.ceil(characters.length / PIECES_MOST));
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''));
}

function named(data: ApiObject & { readonly type: string }): StreamEvent {
  return { event: data.type, data };
}
