import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Faults, type RefusingFault, spoilt } from '../faults.ts';
import { answerJson, readFields } from '../http.ts';
import type { ApiObject } from '../json.ts';
import { APP } from '../people.ts';
import type { ApiRequest } from '../records.ts';
import type { State } from '../state.ts';
import { type Method, PlatformError } from './call.ts';
import { METHODS } from './methods.ts';
import { checkTeam } from './teams.ts';

export interface WebApiOptions {
  readonly state: State;
  readonly faults: Faults;
  readonly sendEvent: (event: ApiObject) => void;
  readonly address: () => string;
  readonly botToken: string;
  readonly appToken: string;
  readonly streamLifeMs: number;
  /** A fresh address for one socket. */
  readonly openConnection: () => string;
}

/** Answers one request to `/api/<method>`. */
export async function answerApi(
  options: WebApiOptions,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { state } = options;
  const { token: inBody, ...fields } = await readFields(request);
  const inHeader = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = inHeader ?? (typeof inBody === 'string' ? inBody : undefined);
  const entry: ApiRequest = { method, arguments: fields, token, atMs: state.now(), answer: undefined };
  state.requests.push(entry);
  state.changed();
  const fault = options.faults.take(method, fields);
  const isDone = fault !== undefined && 'done' in fault;
  if (isDone) answerOf(options, method, token, fields);
  if (await spoilt(fault, (refusing) => fail(response, entry, refusing))) return;
  entry.answer = answerOf(options, method, token, fields);
  state.changed();
  if (fault?.type === 'lost') return void response.destroy();
  answerJson(response, entry.answer);
}

function answerOf(options: WebApiOptions, method: string, token: string | undefined, fields: ApiObject): ApiObject {
  try {
    checkToken(options, method, token);
    if (method === 'apps.connections.open') return { ok: true, url: options.openConnection() };
    checkTeam(options.state, method, fields);
    if (method === 'api.test') return { ok: true, args: fields };
    const play: Method | undefined = METHODS.get(method);
    if (play === undefined) throw new PlatformError('unknown_method', [`[ERROR] ${method} is not played here`]);
    const { state, sendEvent, streamLifeMs } = options;
    return { ok: true, ...play({ arguments: fields, state, sendEvent, streamLifeMs, address: options.address() }) };
    // A method refuses by throwing a `PlatformError`. Any other error is one of the sandbox itself.
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const messages = error.problems.length === 0 ? {} : { response_metadata: { messages: error.problems } };
    return { ok: false, error: error.message, ...messages };
  }
}

function checkToken({ botToken, appToken }: WebApiOptions, method: string, token: string | undefined): void {
  if (token === undefined || token === '') throw new PlatformError('not_authed');
  if (token !== botToken && token !== appToken) throw new PlatformError('invalid_auth');
  const needed = method === 'apps.connections.open' ? appToken : botToken;
  if (token !== needed) throw new PlatformError('not_allowed_token_type');
}

function fail(response: ServerResponse, entry: ApiRequest, fault: RefusingFault): void {
  switch (fault.type) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/html' });
      response.end(`<!DOCTYPE html><html><body>The ${APP} sandbox fails here.</body></html>`);
      break;
    case 'rate-limited':
      response.writeHead(429, { 'retry-after': `${fault.retryAfterSeconds}`, 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error: 'ratelimited' }));
      break;
    case 'platform':
      entry.answer = { ok: false, error: fault.error };
      answerJson(response, entry.answer);
  }
}
