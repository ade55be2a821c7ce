import { createHmac } from 'node:crypto';
import nock from 'nock';
import { createSlack, type Slack, type SlackDeps } from '../../handlers/index.ts';
import { createOneWorkspace, type Workspaces } from '../../handlers/workspaces/workspaces.ts';
import { PATIENCE_MS } from './patience.ts';
import { freePort } from './servers.ts';

/** Slack's Web API on nock: it remembers what it was asked, and answers as told. */

export interface Call {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type Reply =
  | { readonly type: 'json'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** No JSON, or no object: what stands between the bot and Slack may answer in its place. */
  | { readonly type: 'page'; readonly status: number; readonly text?: string }
  /** Slack did it, and the answer never came. */
  | { readonly type: 'lost' };

export interface SlackApi {
  readonly calls: Call[];
  /** What the next call of a method is answered; then as usual. */
  readonly next: (method: string, ...replies: readonly Reply[]) => void;
  readonly to: (method: string) => readonly Call[];
  /** Answers that went to an address of Slack's choice. */
  readonly responses: Readonly<Record<string, unknown>>[];
  readonly refuseResponses: () => void;
  readonly onHeaders: (listen: (headers: Headers) => void) => void;
  readonly until: (isTrue: () => boolean) => Promise<void>;
}

export const TOKEN = 'xoxb-0-test';
export const SECRET = 'a signing secret';
export const TEAM = 'T0DEMO0001';
export const BOT = 'U0BOT00001';

const USUAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'auth.test': { team_id: TEAM, user_id: BOT, bot_id: 'B0BOT00001' },
  'chat.postMessage': { channel: 'C0OPS00001', ts: '1795251700.000001' },
  'conversations.replies': { messages: [] },
  'views.open': { view: { id: 'V0VIEW0001', hash: 'h1' } },
};

/** Each person is a full member, with a name made of the id. */
const personNamed = (user: string) => ({
  user: {
    id: 'U0ANN00001',
    team_id: TEAM,
    deleted: false,
    is_bot: false,
    is_restricted: false,
    real_name: `name ${user}`,
  },
});

export function slackApi(): SlackApi {
  if (!nock.isActive()) nock.activate();
  nock.cleanAll();
  nock.disableNetConnect();
  nock.enableNetConnect('127.0.0.1');
  const calls: Call[] = [];
  const responses: Readonly<Record<string, unknown>>[] = [];
  const planned = new Map<string, Reply[]>();
  let refusing = false;
  let listen: (headers: Headers) => void = () => {};

  nock('https://slack.com')
    .persist()
    .post(/^\/api\//)
    .reply(async (request: Request) => {
      const method = new URL(request.url).pathname.replace('/api/', '');
      listen(request.headers);
      const args = readArgs(await request.text());
      calls.push({ method, args });
      const reply = planned.get(method)?.shift();
      if (reply?.type === 'lost') throw new Error('the connection broke');
      if (reply?.type === 'page') return [reply.status, reply.text ?? '<!DOCTYPE html><html>Bad gateway</html>'];
      if (reply?.type === 'status') return [reply.status, '', { ...reply.headers }];
      const usual = method === 'users.info' ? personNamed(String(args.user)) : USUAL[method];
      return [200, { ok: true, ...(reply?.body ?? usual) }];
    });
  nock('https://hooks.slack.com')
    .persist()
    .post(/.*/)
    .reply(async (request: Request) => {
      if (refusing) return [404, 'used_url'];
      const answer: unknown = await request.json();
      responses.push(isRecord(answer) ? answer : {});
      return [200, 'ok'];
    });

  return {
    calls,
    responses,
    to: (method) => calls.filter((call) => call.method === method),
    next: (method, ...replies) => void planned.set(method, [...(planned.get(method) ?? []), ...replies]),
    onHeaders: (given) => {
      listen = given;
    },
    refuseResponses: () => {
      refusing = true;
    },
    until: async (isTrue) => {
      for (const lastMs = performance.now() + PATIENCE_MS; !isTrue(); ) {
        if (performance.now() > lastMs) throw new Error(`Not seen within ${PATIENCE_MS} ms: ${isTrue}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

/** Slack's clients send forms whose structured fields are JSON. */
function readArgs(form: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...new URLSearchParams(form)].map(([name, value]) => [name, readField(value)]));
}

function readField(value: string): unknown {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // Text may begin with a bracket as well.
    return value;
  }
}

export interface Door {
  readonly slack: Slack;
  readonly url: string;
  /** An event, signed as Slack signs it. */
  readonly event: (
    event: Readonly<Record<string, unknown>>,
    retry?: number,
    around?: Readonly<Record<string, unknown>>,
  ) => Promise<Response>;
  /** A press, a view or a command: a form, as Slack sends it. */
  readonly form: (fields: Readonly<Record<string, unknown>>) => Promise<Response>;
  readonly press: (payload: Readonly<Record<string, unknown>>) => Promise<Response>;
}

/** The real bot side of Slack behind its real, signed HTTP door. `instead` stands in front of what knows the workspace. */
export async function openDoor(
  deps: Omit<SlackDeps, 'settings' | 'workspaces'>,
  instead: (workspaces: Workspaces) => Workspaces = (workspaces) => workspaces,
): Promise<Door> {
  const port = await freePort();
  const workspaces = instead(createOneWorkspace({ botToken: TOKEN }, deps.log));
  const slack = createSlack({ ...deps, workspaces, settings: { signingSecret: SECRET, port, host: '127.0.0.1' } });
  await slack.start();
  const url = `http://127.0.0.1:${port}`;
  const send = (body: string, type: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${url}/slack/events`, {
      method: 'POST',
      body,
      headers: { ...signed(body), 'content-type': type, ...headers },
    });
  const form = (fields: Readonly<Record<string, unknown>>) =>
    send(
      new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString(),
      FORM,
    );
  let events = 0;

  return {
    slack,
    url,
    form,
    press: (payload) => form({ payload: JSON.stringify(payload) }),
    event: (event, retry, around = {}) => {
      events += 1;
      const body = { type: 'event_callback', team_id: TEAM, event_id: `Ev${events}`, ...around, event };
      const again = retry === undefined ? {} : { 'x-slack-retry-num': String(retry) };
      return send(JSON.stringify(body), 'application/json', again);
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** The headers by which Slack signs this body, without a time now. */
export function signed(body: string, atSeconds = Math.floor(Date.now() / 1_000)): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', SECRET).update(`v0:${atSeconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(atSeconds), 'x-slack-signature': `v0=${signature}` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
