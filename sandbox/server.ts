import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Stage, tellApp } from './acts/act.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createHttpTransport } from './delivery/http.ts';
import { createSockets, type Sockets } from './delivery/sockets.ts';
import { createFaults } from './faults.ts';
import { answerFile, contentOf } from './files.ts';
import { answerText, readBody } from './http.ts';
import { createInstalling } from './installing.ts';
import { type JsonObject, parseJson } from './json.ts';
import type { Conversation } from './model/conversations.ts';
import { createModel, type Model } from './model/model.ts';
import { tenantOf } from './organisation.ts';
import type { Shortcut } from './page/message.ts';
import { createPage } from './page/page.ts';
import { createState, type State } from './state.ts';
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
  /** A further workspace, or organisation, that installed the app. People and channels are called the same there. */
  readonly workspace: (team: string) => World;
  readonly clientId: string;
  readonly clientSecret: string;
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
  const [clientId, clientSecret] = ['sandbox-client', 'sandbox-client-secret'];
  const first = createState(now);
  const sockets = createSockets(first.changed);
  const byHttp = (urls: readonly string[]) => createHttpTransport({ urls, signingSecret, now });
  let transport = options.deliverTo === undefined ? sockets : byHttp([options.deliverTo].flat());
  const model = createModel({
    conversations: options.conversations ?? [],
    pieceDelayMs: options.pieceDelayMs ?? 0,
    onRequest: first.changed,
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

  /** One workspace with its own people, channels, faults and deliveries. */
  const open = (state: State, botToken: string) => {
    const faults = createFaults();
    const deliveries = createDeliveries({
      transport: () => transport,
      now,
      acknowledgeWithinMs: options.acknowledgeWithinMs ?? ACKNOWLEDGE_WITHIN_MS,
      eventRetryMs: options.eventRetryMs ?? EVENT_RETRY_MS,
    });
    const stage: Stage = {
      state,
      send: deliveries.send,
      address: () => url,
      commands: options.commands,
      events: options.events,
    };
    const webApi = {
      ...{ state, faults, botToken, appToken },
      sendEvent: (event: JsonObject) => tellApp(stage, event),
      address: () => url,
      streamLifeMs: options.streamLifeMs ?? STREAM_LIFE_MS,
      openConnection: () => `ws://127.0.0.1:${port}/socket?ticket=${sockets.ticket()}`,
    };
    return { world: createWorld(stage, deliveries, faults), state, faults, deliveries, webApi };
  };
  const home = open(first, botToken);
  const { world } = home;
  /** By token; a token that is not known here is refused at home. */
  const places = new Map([[botToken, home]]);
  const placeOf = (token: string) => places.get(token) ?? home;
  const installed = (team: string, token: string) => {
    const before = [...places.values()].find(({ state }) => tenantOf(state) === team);
    places.set(token, open(before?.state ?? createState(now, team), token));
  };
  const installing = createInstalling({ clientId, clientSecret, installed });
  const page = createPage({ world, shortcuts: options.shortcuts ?? [], homeTab: options.homeTab ?? true });

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    const [, place = '', ...rest] = pathname.split('/');
    switch (place) {
      case 'api':
        if (rest[0] === 'oauth.v2.access') return installing.exchange(request, response);
        return answerApi(placeOf(bearer(request)).webApi, rest.join('/'), request, response);
      case 'oauth':
        return installing.agree(request, response);
      case 'respond': {
        const asked = rest.join('/');
        const { state, faults } = [...places.values()].find((one) => one.state.answerAddresses.has(asked)) ?? home;
        if (faults.take('response_url')?.type === 'hang') return;
        const answered = respond(state, asked, parseJson((await readBody(request)).toString()));
        return answerText(response, answered.status, answered.body);
      }
      case 'upload':
        return receiveFile(rest[0] ?? '', request, response);
      case 'files-pri':
        return answerFile(placeOf(bearer(request)).webApi, rest[0] ?? '', request, response);
      case 'anthropic':
        if (rest.join('/') === 'v1/messages') return model.handle(request, response);
    }
    if (!(await page.handle(request, response))) answerText(response, 404, 'There is nothing here.');
  }

  async function receiveFile(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { state = first } = [...places.values()].find((one) => one.state.files.has(id)) ?? {};
    const file = state.files.get(id);
    if (file === undefined) return answerText(response, 404, 'file_not_found');
    const content = fileContent(await readBody(request), request.headers['content-type']);
    state.files.set(id, { ...file, ...contentOf(content) });
    answerText(response, 200, `OK - ${file.name}`);
  }

  return {
    ...{ url, page: `${url}/`, slackApiUrl: `${url}/api/`, anthropicBaseUrl: `${url}/anthropic` },
    ...{ appToken, botToken, signingSecret, clientId, clientSecret, world, model, sockets },
    workspace: (team) => {
      const found = [...places.values()].findLast(({ state }) => tenantOf(state) === team);
      if (found === undefined) throw new Error(`${team} did not install the app. Let it do so first.`);
      return found.world;
    },
    deliverTo: (...urls) => {
      transport = urls.length === 0 ? sockets : byHttp(urls);
    },
    close: async () => {
      page.close();
      for (const { deliveries } of places.values()) deliveries.stop();
      await sockets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function bearer(request: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** A file comes as it is, or as the one part of a form. */
function fileContent(body: Buffer, contentType = ''): Buffer {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(`\r\n--${boundary}`));
}
