import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFaults, type Faults, type RefusingFault, spoilt } from '../faults.ts';
import { readBody } from '../http.ts';
import { type ApiObject, parseJson } from '../json.ts';
import { type Answer, messageOf, text } from './answer.ts';
import { type Conversation, whatICanPlay } from './conversation.ts';
import { type MessagesRequest, readRequest } from './request.ts';
import { encode, eventsOf, type StreamEvent } from './stream.ts';

/** A stand-in for the Messages API that plays written conversations, or exactly what a test tells it to say. */
export interface Model {
  /** These are the next answers, whatever is asked. */
  next(...answers: readonly Answer[]): void;
  /** Named `messages`, as in `model.faults.set('messages', { type: 'rate-limited', retryAfterSeconds: 1 })`. */
  readonly faults: Faults;
  /** Every request that was understood, in order. */
  readonly requests: readonly MessagesRequest[];
}

export interface ServedModel extends Model {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export interface ModelOptions {
  readonly conversations: readonly Conversation[];
  /** Between two pieces of a stream, so that a person can watch it grow. */
  readonly pieceDelayMs: number;
  readonly onRequest: () => void;
}

export function createModel(options: ModelOptions): ServedModel {
  const queued: Answer[] = [];
  const requests: MessagesRequest[] = [];
  const faults = createFaults();
  return {
    next: (...answers) => {
      queued.push(...answers);
    },
    faults,
    requests,
    handle: async (request, response) => {
      const body = parseJson((await readBody(request)).toString());
      if (request.headers['x-api-key'] === undefined && request.headers.authorization === undefined) {
        return refuse(response, 401, 'authentication_error', 'x-api-key header is required');
      }
      const read = readRequest(body);
      if (read.type === 'refused') return refuse(response, 400, 'invalid_request_error', read.message);
      requests.push(read.request);
      options.onRequest();
      const fault = faults.take('messages');
      if (await spoilt(fault, (refusing) => fail(response, refusing))) return;
      const message = messageOf(queued.shift() ?? played(options.conversations, read.request), read.request.model);
      if (fault?.type === 'lost') return void response.destroy();
      if (!read.request.stream) return sendJson(response, 200, message);
      await stream(response, eventsOf(message), fault?.type === 'cut' ? fault.afterEvents : undefined);
    },
  };

  async function stream(response: ServerResponse, events: readonly StreamEvent[], cutAfter: number | undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_sandbox' });
    for (const [index, event] of events.entries()) {
      if (index === cutAfter) return void response.destroy();
      if (response.destroyed) return;
      response.write(encode(event));
      if (options.pieceDelayMs > 0) await sleep(options.pieceDelayMs);
    }
    response.end();
  }
}

function played(known: readonly Conversation[], request: MessagesRequest): Answer {
  const answer = playedNow(known, request);
  return request.before === undefined || request.forcedTool !== undefined
    ? answer
    : joined(played(known, request.before), answer);
}

/** What became of the calls comes first, and then the answer to what a person said meanwhile. */
function joined(first: Answer, then: Answer): Answer {
  if (typeof first === 'string' && typeof then === 'string') return `${first}\n\n${then}`;
  const partsOf = (answer: Answer) => (typeof answer === 'string' ? [text(answer)] : answer.content);
  return { content: [...partsOf(first), ...partsOf(then)] };
}

function playedNow(known: readonly Conversation[], request: MessagesRequest): Answer {
  if (request.forcedTool !== undefined) {
    return { content: [{ type: 'tool_use', name: request.forcedTool, input: {} }] };
  }
  const conversation = known.find(({ begins }) => begins(request.said));
  return conversation?.play(request) ?? whatICanPlay(known);
}

function fail(response: ServerResponse, fault: RefusingFault): void {
  switch (fault.type) {
    case 'status':
      refuse(response, fault.status, ERRORS.get(fault.status) ?? 'api_error', 'The sandbox was told to fail here.');
      break;
    case 'rate-limited':
      response.setHeader('retry-after', `${fault.retryAfterSeconds}`);
      refuse(response, 429, 'rate_limit_error', 'The sandbox was told to refuse for a while.');
      break;
    case 'platform':
      refuse(response, 400, fault.error, 'The sandbox was told to refuse this.');
  }
}

const ERRORS = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
]);

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_sandbox' });
}

function sendJson(response: ServerResponse, status: number, body: ApiObject): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_sandbox' });
  response.end(JSON.stringify(body));
}
