import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Stage, tellApp } from './acts/act.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createHttpTransport } from './delivery/http.ts';
import { createSockets, type Sockets } from './delivery/sockets.ts';
import { createFaults } from './faults.ts';
import { answerFile, contentOf } from './files.ts';
import { answerText, readBody } from './http.ts';
import { type JsonObject, parseJson } from './json.ts';
import type { Conversation } from './model/conversations.ts';
import { createModel, type Model } from './model/model.ts';
import type { Shortcut } from './page/message.ts';
import { createPage } from './page/page.ts';
import { createState } from './state.ts';
import { respond } from './web-api/respond.ts';
import { answerApi } from './web-api/server.ts';
import { createWorld, type World } from './world.ts';

export interface SandboxOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** Played before the built-in ones. */
  readonly conversations?: readonly Conversation[];
  readonly appToken?: string;
  readonly botToken?: string;
  readonly signingSecret?: string;
  /** The app's own address or addresses, ending in `/slack/events`. Without one, everything goes over sockets. */
  readonly deliverTo?: string | readonly string[];
  /** The commands of the app; another one is refused. Without a list every command is taken. */
  readonly commands?: readonly string[];
  /** The events that the app subscribed to, as in its manifest. Without a list every event is sent. */
  readonly events?: readonly string[];
  /** The app's message shortcuts, for the menu of every message on the page. */
  readonly shortcuts?: readonly Shortcut[];
  /** Whether the app has a Home tab. It has, unless this says no. */
  readonly homeTab?: boolean;
  readonly now?: () => number;
  /** How long a stream may live. */
  readonly streamLifeMs?: number;
  /** Pauses before an event that was not acknowledged comes again. */
  readonly eventRetryMs?: readonly number[];
  readonly acknowledgeWithinMs?: number;
  /** Between the pieces of a model's answer. */
  readonly pieceDelayMs?: number;
}

export interface Sandbox {
  readonly url: string;
  /** Ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly anthropicBaseUrl: string;
  /** Where a person looks at it. */
  readonly page: string;
  readonly appToken: string;
  readonly botToken: string;
  readonly signingSecret: string;
  readonly world: World;
  readonly model: Model;
  readonly sockets: Pick<Sockets, 'count' | 'refresh' | 'cut'>;
  /** From now on everything goes to these addresses; to none of them means to the sockets. */
  readonly deliverTo: (...urls: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

const STREAM_LIFE_MS = 5 * 60_000;
const EVENT_RETRY_MS = [0, 60_000, 300_000];
const ACKNOWLEDGE_WITHIN_MS = 3000;

/** Starts a stand-in for Slack and for the model on this computer. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const { appToken = 'xapp-1-sandbox', botToken = 'xoxb-sandbox', signingSecret = 'sandbox-signing-secret' } = options;
  const state = createState(now);
  const faults = createFaults();
  const sockets = createSockets(state.changed);
  const byHttp = (urls: readonly string[]) => createHttpTransport({ urls, signingSecret, now });
  let transport = options.deliverTo === undefined ? sockets : byHttp([options.deliverTo].flat());
  const deliveries = createDeliveries({
    transport: () => transport,
    now,
    acknowledgeWithinMs: options.acknowledgeWithinMs ?? ACKNOWLEDGE_WITHIN_MS,
    eventRetryMs: options.eventRetryMs ?? EVENT_RETRY_MS,
  });
  const model = createModel({
    conversations: options.conversations ?? [],
    pieceDelayMs: options.pieceDelayMs ?? 0,
    onRequest: state.changed,
  });

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      if (!response.headersSent) answerText(response, 500, `The sandbox failed: ${String(error)}`);
      else response.destroy();
    });
  });
  server.on('upgrade', sockets.accept);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // Listening on a port, not on a path, so the address is an object.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const stage: Stage = {
    state,
    send: deliveries.send,
    address: () => url,
    commands: options.commands,
    events: options.events,
  };
  const world = createWorld(stage, deliveries, faults);
  const page = createPage({ world, shortcuts: options.shortcuts ?? [], homeTab: options.homeTab ?? true });
  const webApi = {
    ...{ state, faults, botToken, appToken },
    sendEvent: (event: JsonObject) => tellApp(stage, event),
    address: () => url,
    streamLifeMs: options.streamLifeMs ?? STREAM_LIFE_MS,
    openConnection: () => `ws://127.0.0.1:${port}/socket?ticket=${sockets.ticket()}`,
  };

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    const [, place = '', ...rest] = pathname.split('/');
    switch (place) {
      case 'api':
        return answerApi(webApi, rest.join('/'), request, response);
      case 'respond': {
        const answered = respond(state, rest.join('/'), parseJson((await readBody(request)).toString()));
        return answerText(response, answered.status, answered.body);
      }
      case 'upload':
        return receiveFile(rest[0] ?? '', request, response);
      case 'files-pri':
        return answerFile({ state, faults, botToken }, rest[0] ?? '', request, response);
      case 'anthropic':
        if (rest.join('/') === 'v1/messages') return model.handle(request, response);
    }
    if (!(await page.handle(request, response))) answerText(response, 404, 'There is nothing here.');
  }

  async function receiveFile(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = state.files.get(id);
    if (file === undefined) return answerText(response, 404, 'file_not_found');
    const content = fileContent(await readBody(request), request.headers['content-type']);
    state.files.set(id, { ...file, ...contentOf(content) });
    answerText(response, 200, `OK - ${file.name}`);
  }

  return {
    ...{ url, page: `${url}/`, slackApiUrl: `${url}/api/`, anthropicBaseUrl: `${url}/anthropic` },
    ...{ appToken, botToken, signingSecret, world, model, sockets },
    deliverTo: (...urls) => {
      transport = urls.length === 0 ? sockets : byHttp(urls);
    },
    close: async () => {
      page.close();
      deliveries.stop();
      await sockets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A file comes as it is, or as the one part of a form. */
function fileContent(body: Buffer, contentType = ''): Buffer {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(`\r\n--${boundary}`));
}
