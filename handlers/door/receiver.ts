import { createServer, type RequestListener, type Server } from 'node:http';
import { type App, type CustomRoute, HTTPReceiver, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { given } from '../../app/given.ts';
import { errorText, type Log } from '../../app/log.ts';
import { pause, withLimit } from '../../app/time/index.ts';
import { refusalIn } from '../sender/index.ts';
import { clientOptions, slackLogger } from '../workspaces/index.ts';
import { createLastAnswers } from './last-answers.ts';
import { refuseOddBodies } from './odd-bodies.ts';

export interface SlackSettings {
  /** With a token the bot uses Socket Mode, without one signed HTTP. */
  readonly appToken?: string | undefined;
  readonly signingSecret?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** How long deliveries over HTTP are still taken after the bot was told to stop. Default: not at all. */
  readonly deliveriesWhileStoppingMs?: number;
}

export interface DoorReceiver extends Receiver {
  /** Ends each connection behind its answer. Resolves when deliveries over HTTP have been taken for long enough. */
  readonly takeLast: () => Promise<void>;
}

export type Route = CustomRoute & { readonly method: 'GET' | 'POST' };

/** Where every kind of delivery arrives over HTTP. */
const ENDPOINT = '/slack/events';

export function createReceiver(settings: SlackSettings, routes: readonly Route[], log: Log): DoorReceiver {
  return settings.appToken === undefined
    ? httpReceiver(settings, routes, log)
    : socketReceiver(settings, settings.appToken, routes, log);
}

function httpReceiver(
  { signingSecret = '', port, host, deliveriesWhileStoppingMs = 0 }: SlackSettings,
  routes: readonly Route[],
  log: Log,
): DoorReceiver {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: [ENDPOINT],
    customRoutes: [...routes],
    logger: slackLogger(log),
    // A delivery that could not be stored is not acknowledged: with this answer Slack sends it again.
    processEventErrorHandler: async ({ error, response }) => {
      log.error('A delivery could not be taken', { error });
      if (!response.headersSent) response.writeHead(500).end();
      return false;
    },
  });
  const last = createLastAnswers();
  const ours = refuseOddBodies(receiver.requestListener, { path: ENDPOINT, signingSecret, log });
  receiver.requestListener = last.around(ours);
  let server: Server | undefined;
  return {
    init: (app: App) => receiver.init(app),
    start: async () => {
      server = await listening({ port, host }, (where) => receiver.start(where));
      return server;
    },
    takeLast: async () => {
      last.begin(server);
      // Slack delivers a press once. What balances the load sends it here until it has read `/readyz`.
      await pause(deliveriesWhileStoppingMs);
    },
    stop: () => receiver.stop(),
  };
}

/** Bolt neither waits for its server of extra routes nor reports its failure, so Socket Mode gets the bot's own server. */
function socketReceiver(
  { apiUrl, port, host }: SlackSettings,
  appToken: string,
  routes: readonly Route[],
  log: Log,
): DoorReceiver {
  const receiver = new SocketModeReceiver({
    appToken,
    logger: slackLogger(log),
    // Options of its own: reconnecting may take many tries, an ordinary call one.
    installerOptions: { clientOptions: { ...clientOptions(apiUrl, log), retryConfig: RECONNECT } },
    processEventErrorHandler: async ({ error }) => {
      log.error('A delivery could not be taken', { error });
      return false;
    },
  });
  const last = createLastAnswers();
  const server = port === undefined ? undefined : createServer(last.around(answering(routes)));
  return {
    init: (app: App) => receiver.init(app),
    start: async () => {
      if (server !== undefined) await listening({ port, host }, (where) => listen(server, where));
      await receiver.start().catch((error: unknown) => {
        throw whyNoSocket(error);
      });
      return server;
    },
    takeLast: async () => last.begin(server),
    stop: async () => {
      await within(DISCONNECT_MS, receiver.client.disconnect());
      if (server !== undefined) await within(DISCONNECT_MS, closed(server));
      server?.closeAllConnections();
    },
  };
}

const RECONNECT = { retries: 100, factor: 1.3, minTimeout: 500, maxTimeout: 10_000 };
const DISCONNECT_MS = 2_000;

function answering(routes: readonly Route[]): RequestListener {
  return (request, response) => {
    const address = URL.parse(request.url ?? '/', 'http://localhost');
    if (address === null) return void response.writeHead(400).end();
    const path = address.pathname;
    const route = routes.find((known) => known.path === path && known.method === request.method);
    if (route === undefined) response.writeHead(404).end();
    else route.handler(Object.assign(request, { params: {} }), response);
  };
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

interface Where {
  readonly port: number;
  readonly host?: string;
}

function listen(server: Server, where: Where): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
  });
}

/** Adds to a failure which port it is about, and what to do. */
function listening<Done>(
  { port, host }: Pick<SlackSettings, 'port' | 'host'>,
  work: (where: Where) => Promise<Done>,
): Promise<Done> {
  return work({ port: port ?? 0, ...given({ host }) }).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : errorText(cause);
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is taken by another program. Stop that program, or set PORT to another port.`, {
        cause,
      });
    throw new Error(
      `Port ${port} of ${host ?? 'this machine'} cannot be listened on (${code}). ` +
        'Set PORT and HOST to a port and an address of this machine.',
      { cause },
    );
  });
}

/** Names the setting that holds the token, as Slack names only the problem. */
function whyNoSocket(error: unknown): unknown {
  const refusal = refusalIn(error);
  if (refusal === undefined) return error;
  return new Error(
    `Slack refuses SLACK_APP_TOKEN (${refusal.code}). Copy an app-level token with the scope connections:write again, ` +
      'from Basic Information of the Slack app.',
    { cause: error },
  );
}

/** Waits for `work`, but no longer than this: closing a socket can take seconds, and nothing depends on it. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await withLimit(work, { ms, late: undefined });
}
