import { Readable } from 'node:stream';
import nock from 'nock';

/** Where tests send the model's requests. The network is closed otherwise. */
export const MODEL_URL = 'https://model.test';

/**
 * A place of its own for a call that will be given up. What is left of one closes its connection a little later, and on
 * a busy machine takes along whatever has begun at the same address by then.
 */
export function modelElsewhere(): string {
  elsewhere += 1;
  return `https://model-${elsewhere}.test`;
}
let elsewhere = 0;

export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  /** `json` instead of `input`: exactly these characters, also if they are no JSON. */
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string }
  | { readonly type: 'redacted_thinking' | 'web_search_tool_result'; readonly [field: string]: unknown };

export interface AnswerOptions {
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs of life between the beginning and the first block; there is always one. */
  readonly pings?: number;
  /** How long each event takes. */
  readonly paceMs?: number;
  /** Only so many events arrive ... */
  readonly cutAfter?: number;
  /** ... and then the stream ends, breaks, or stays open and silent. */
  readonly cutBy?: 'end' | 'break' | 'silence';
  /** In place of what would come next: an error event, as the provider sends it in the middle of a stream. */
  readonly errorEvent?: { readonly type: string; readonly message: string };
  /** Where the model is asked. Left out, where all are. */
  readonly url?: string;
}

/** As it came. */
export interface RequestBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly [field: string]: unknown;
}

export interface SeenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

/** From here until `openNetwork` nothing is reached but what is played. */
export function closeNetwork(): void {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
}

export function openNetwork(): void {
  nock.abortPendingRequests();
  nock.cleanAll();
  nock.enableNetConnect();
}

/** The model's next answer, streamed as the provider streams it. Returns what it was asked, once it was. */
export function modelAnswers(blocks: readonly AnswerBlock[] | AnswerBlock, options: AnswerOptions = {}): SeenRequest[] {
  const events = answerEvents([blocks].flat(), options);
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', ...options.headers };
  return reply([200, streamOf(events, options), headers], options.url);
}

/** The model's next answer is an error: 429, 529, 500 … */
export function modelFails(
  status: number,
  {
    type = TYPES[status] ?? 'api_error',
    message = 'No.',
    code,
    headers = {},
  }: {
    readonly type?: string;
    readonly message?: string;
    readonly code?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): SeenRequest[] {
  const details = code === undefined ? undefined : { error_code: code };
  const body = JSON.stringify({ type: 'error', error: { type, message, details }, request_id: 'req_1' });
  return reply([status, body, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers }]);
}

/** The connection is refused, or reset before an answer begins. */
export function modelIsAway(code = 'ECONNREFUSED'): void {
  nock(MODEL_URL)
    .post('/v1/messages')
    .replyWithError(Object.assign(new Error(`connect ${code}`), { code }));
}

/** The provider accepts the request and says nothing, for ever. */
export function modelHangs(url = MODEL_URL): void {
  nock(url)
    .post('/v1/messages')
    .delay(24 * 60 * 60 * 1000)
    .reply(200, '');
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

type Event = { readonly type: string; readonly [field: string]: unknown };

/** The whole sequence of events of one answer: each text and each input in several pieces, with a sign of life between. */
export function answerEvents(blocks: readonly AnswerBlock[], options: AnswerOptions = {}): readonly Event[] {
  const asksForTools = blocks.some(({ type }) => type === 'tool_use');
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, ...options.usage, output_tokens: 1 },
      },
    },
    ...Array.from({ length: options.pings ?? 1 }, () => ({ type: 'ping' })),
    ...blocks.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: options.stopReason ?? (asksForTools ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens: options.usage?.output_tokens ?? 20 },
    },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: AnswerBlock, index: number): readonly Event[] {
  const start = (content_block: object): Event => ({ type: 'content_block_start', index, content_block });
  const delta = (each: object): Event => ({ type: 'content_block_delta', index, delta: each });
  const stop: Event = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...pieces(block.text).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...pieces(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ];
    case 'tool_use': {
      const json = 'json' in block ? block.json : JSON.stringify(block.input);
      return [
        start({ type: 'tool_use', id: block.id, name: block.name, input: {} }),
        ...['', ...pieces(json)].map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
        stop,
      ];
    }
    default:
      return [start(block), stop];
  }
}

function pieces(text: string): readonly string[] {
  const third = Math.max(1, Math.ceil(text.length / 3));
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter((piece) => piece !== '');
}

function streamOf(
  all: readonly Event[],
  { cutAfter = all.length, cutBy = 'end', paceMs, errorEvent }: AnswerOptions,
): Readable {
  const events = all.slice(0, cutAfter).map(lines);
  if (errorEvent !== undefined) events.push(lines({ type: 'error', error: errorEvent }));
  const whole = cutAfter >= all.length;
  let next = 0;
  return new Readable({
    read() {
      const event = events[next];
      next += 1;
      if (event !== undefined && paceMs !== undefined) setTimeout(() => this.push(event), paceMs);
      else if (event !== undefined) this.push(event);
      else if (whole || cutBy === 'end') this.push(null);
      // Later than the pieces before it: a broken connection takes along what was not read yet.
      else if (cutBy === 'break') setTimeout(() => this.destroy(new Error('read ECONNRESET')), 5);
    },
  });
}

function lines(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

type Reply = [status: number, body: string | Readable, headers: Record<string, string>];

function reply(answer: Reply, url = MODEL_URL): SeenRequest[] {
  const seen: SeenRequest[] = [];
  nock(url)
    .post('/v1/messages')
    .reply(async (request: Request) => {
      const body: RequestBody = JSON.parse(await request.text());
      seen.push({ headers: Object.fromEntries(request.headers), body });
      return answer;
    });
  return seen;
}
