import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpTransport } from './delivery/http.ts';
import { createSockets, type Sockets } from './delivery/sockets.ts';
import { createInstalling } from './installing.ts';
import { keepWorkspace } from './kept/keeping.ts';
import type { Conversation } from './model/conversation.ts';
import { createModel, type Model } from './model/model.ts';
import type { Shortcut } from './page/message.ts';
import { createPage } from './page/page.ts';
import type { Strip } from './page/strip.ts';
import { PLAYS, REPLIES } from './plays/index.ts';
import type { ApiRequest } from './records.ts';
import { createRoutes } from './routes.ts';
import { createState } from './state.ts';
import { createWorkspaces, type WorkspaceSettings } from './workspaces.ts';
import type { World } from './world.ts';

export interface SandboxOptions extends WorkspaceSettings {
  /** A free one unless given. */
  readonly port?: number;
  /** Played before the built-in ones. */
  readonly conversations?: readonly Conversation[];
  readonly appToken?: string;
  readonly botToken?: string;
  readonly signingSecret?: string;
  /** The app's own address or addresses, ending in `/slack/events`. Without one, everything goes over sockets. */
  readonly deliverTo?: string | readonly string[];
  /** The app's message shortcuts, for the menu of every message on the page. */
  readonly shortcuts?: readonly Shortcut[];
  /** Whether the app has a Home tab. It has, unless this says no. */
  readonly homeTab?: boolean;
  /** The file in which the workspace lasts, and what to call with a sentence if that file cannot be read. */
  readonly keptIn?: { readonly file: string; readonly onTrouble: (sentence: string) => void };
  readonly now?: () => number;
  /** Between the pieces of a model's answer. */
  readonly pieceDelayMs?: number;
}

export interface Sandbox {
  readonly url: string;
  /** Ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly anthropicBaseUrl: string;
  /** The address of the page. */
  readonly page: string;
  readonly appToken: string;
  readonly botToken: string;
  readonly signingSecret: string;
  readonly world: World;
  /** A further workspace, or organisation, that installed the app. People and channels are called the same there. */
  readonly workspace: (team: string) => World;
  /** All that was sent to any workspace: calls of methods, and answers to presses and forms. */
  readonly sent: () => readonly SentByApp[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly model: Model;
  readonly sockets: Pick<Sockets, 'count' | 'refresh' | 'cut'>;
  /** Sends all later deliveries to these addresses, or to the sockets where none is given. */
  readonly deliverTo: (...urls: readonly string[]) => void;
  /** Shows this beside the workspace on the page. */
  readonly show: (strip: Strip) => void;
  /** Lets `world.until` look again, where what it waits for is no part of the workspace. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
}

export type SentByApp = Pick<ApiRequest, 'method' | 'arguments'>;

/** Starts a stand-in for Slack and for the model on this computer. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const { appToken = 'xapp-1-sandbox', botToken = 'xoxb-sandbox', signingSecret = 'sandbox-signing-secret' } = options;
  const client = { clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret' };
  const homeState = createState(now);
  const sockets = createSockets(homeState.changed);
  const byHttp = (urls: readonly string[]) => createHttpTransport({ urls, signingSecret, now });
  let transport = options.deliverTo === undefined ? sockets : byHttp([options.deliverTo].flat());
  const model = createModel({
    conversations: [...(options.conversations ?? []), ...REPLIES, ...PLAYS],
    pieceDelayMs: options.pieceDelayMs ?? 0,
    onRequest: homeState.changed,
  });
  const { server, port } = await listen(options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;
  const keeping = options.keptIn && keepWorkspace(homeState, { ...options.keptIn, address: url });
  const workspaces = createWorkspaces({
    settings: options,
    homeState,
    homeToken: botToken,
    appToken,
    url,
    now,
    transport: () => transport,
    openConnection: () => `ws://127.0.0.1:${port}/socket?ticket=${sockets.ticket()}`,
  });
  const { world } = workspaces.home;
  const installing = createInstalling({
    ...client,
    scopes: options.scopes ?? ['chat:write'],
    faults: workspaces.home.faults,
    installed: workspaces.install,
  });
  const page = createPage({ world, shortcuts: options.shortcuts ?? [], homeTab: options.homeTab ?? true });
  server.on('request', createRoutes({ workspaces, installing, model, page }));
  server.on('upgrade', sockets.accept);

  return {
    url,
    page: `${url}/`,
    slackApiUrl: `${url}/api/`,
    anthropicBaseUrl: `${url}/anthropic`,
    appToken,
    botToken,
    signingSecret,
    ...client,
    world,
    model,
    sockets,
    workspace: (team) => {
      const found = workspaces.ofTeam(team);
      if (found === undefined) throw new Error(`${team} did not install the app. Let it do so first.`);
      return found.world;
    },
    sent: () =>
      [...new Set(workspaces.all().map(({ state }) => state))].flatMap(({ requests, answers }) => [
        ...requests,
        ...answers.map((given) => ({ method: 'chat.answer', arguments: given })),
      ]),
    deliverTo: (...urls) => {
      transport = urls.length === 0 ? sockets : byHttp(urls);
    },
    show: page.show,
    changed: homeState.changed,
    close: async () => {
      page.close();
      for (const { deliveries } of workspaces.all()) deliveries.stop();
      await sockets.close();
      await close(server);
      keeping?.close();
    },
  };
}

async function listen(port: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // The server listens on a port and not on a path, so the address is an object.
  return { server, port: (server.address() as AddressInfo).port };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
