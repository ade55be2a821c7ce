import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, type Faults, type RefusingFault, spoilt } from '../faults.ts';
import { answerJson, readFields } from '../http.ts';
import { type ApiObject, at } from '../json.ts';
import { APP } from '../people.ts';
import type { ApiRequest } from '../records.ts';
import type { State } from '../state.ts';
import { type Method, PlatformError } from './call.ts';
import { METHODS } from './methods.ts';
import { checkScope, type Scopes } from './scopes.ts';
import { checkTeam } from './teams.ts';

export interface WebApiOptions {
  readonly state: State;
  readonly faults: Faults;
  readonly sendEvent: (event: ApiObject) => void;
  readonly address: () => string;
  readonly botToken: string;
  readonly appToken: string;
  readonly scopes: Scopes;
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
  const { token: inBody, ...asked } = await readFields(request);
  const inHeader = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = inHeader ?? (typeof inBody === 'string' ? inBody : undefined);
  const { fault, fields } = rationed(state, method, { fields: asked, fault: options.faults.take(method, asked) });
  const entry: ApiRequest = { method, arguments: asked, token, atMs: state.now(), answer: undefined };
  state.requests.push(entry);
  state.changed();
  const isDone = fault !== undefined && 'done' in fault;
  if (isDone) answerOf(options, method, token, fields);
  if (await spoilt(fault, (refusing) => fail(response, entry, refusing))) return;
  entry.answer = answerOf(options, method, token, fields);
  state.changed();
  if (fault?.type === 'lost') return void response.destroy();
  answerJson(response, entry.answer);
}

interface Given {
  readonly fields: ApiObject;
  readonly fault: Fault | undefined;
}

/** Gives a call its ration, or refuses it until there is one. */
function rationed(state: State, method: string, { fields, fault }: Given): Given {
  if (fault?.type !== 'rationed') return { fields, fault };
  const last = state.requests.findLast(({ method: one, answer }) => one === method && at(answer, 'ok') === true);
  const waitMs = last === undefined ? 0 : last.atMs + fault.everyMs - state.now();
  if (waitMs > 0) return { fields, fault: { type: 'rate-limited', retryAfterSeconds: Math.ceil(waitMs / 1_000) } };
  return { fields: { ...fields, limit: Math.min(Number(fields.limit ?? fault.most), fault.most) }, fault: undefined };
}

function answerOf(options: WebApiOptions, method: string, token: string | undefined, fields: ApiObject): ApiObject {
  try {
    checkToken(options, method, token);
    if (method === 'apps.connections.open') return { ok: true, url: options.openConnection() };
    checkScope(options.state, options.scopes, method, fields);
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
    return { ok: false, error: error.message, ...error.more, ...messages };
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
