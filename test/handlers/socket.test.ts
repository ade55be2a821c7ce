import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createSlack, type Slack } from '../../handlers/index.ts';
import { createOneWorkspace } from '../../handlers/workspaces/workspaces.ts';
import { freePort } from '../support/servers.ts';
import { BOT, slackApi, TEAM, TOKEN } from '../support/slack.ts';
import { type Parts, parts, type World } from './parts.ts';
import { cardPress } from './payloads.ts';
import { ANN, APPROVAL, THREAD } from './views/records.ts';

/** The other transport: a socket instead of signed requests, with the same promises. */

let slack: Slack;
let stand: Stand;
let bot: Parts;

afterEach(async () => {
  await slack.stop();
  await stand.close();
});

interface Stand {
  readonly apiUrl: string;
  /** Resolves when it is acknowledged. */
  readonly deliver: (type: string, payload: unknown) => Promise<unknown>;
  readonly methods: string[];
  readonly close: () => Promise<void>;
}

async function start(world: World = {}, port?: number): Promise<void> {
  slackApi();
  stand = await standIn();
  bot = parts(world);
  const settings = {
    appToken: 'xapp-1-test',
    apiUrl: stand.apiUrl,
    host: '127.0.0.1',
    ...(port === undefined ? {} : { port }),
  };
  const workspaces = createOneWorkspace({ botToken: TOKEN, apiUrl: stand.apiUrl }, bot.log);
  slack = createSlack({ ...bot, workspaces, settings });
  await slack.start();
}

const event = (fields: Readonly<Record<string, unknown>>) => ({
  type: 'event_callback',
  team_id: TEAM,
  event_id: 'Ev1',
  event: { type: 'app_mention', channel: THREAD.channel, user: ANN, ts: THREAD.ts, text: `<@${BOT}> hello`, ...fields },
});

describe('Socket Mode', () => {
  it('Socket Mode stores a message before it acknowledges it', async () => {
    await start();

    expect(await stand.deliver('events_api', event({}))).toBe('acknowledged');

    expect(bot.asked.taken.map(({ text }) => text)).toEqual(['hello']);
  });

  it('Socket Mode does not acknowledge a message that could not be stored', async () => {
    await start({ take: async () => Promise.reject(new Error('the store is away')) });

    let heard: unknown = 'silence';
    void stand.deliver('events_api', event({})).then((answer) => {
      heard = answer;
    });

    await expect.poll(() => bot.logged.map(({ message }) => message)).toContain('A delivery could not be taken');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toBe('silence');
  });

  it('a press decides over Socket Mode', async () => {
    await start({ decide: async () => ({ type: 'failed' }) });

    expect(await stand.deliver('interactive', cardPress({ action: 'approval_deny' }))).toBe('acknowledged');

    expect(bot.asked.presses.map(({ approval, verdict }) => [approval, verdict])).toEqual([[APPROVAL, 'deny']]);
  });

  it('Socket Mode serves health on a port of its own, when it has one', async () => {
    const port = await freePort();
    await start({}, port);

    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/elsewhere`)).status).toBe(404);
  });

  it('Socket Mode opens its socket with the token of the app, and makes no other call with it', async () => {
    await start();

    expect(stand.methods).toEqual([`auth.test ${TOKEN}`, 'apps.connections.open xapp-1-test']);
  });
});

async function standIn(): Promise<Stand> {
  const methods: string[] = [];
  let socket: WebSocket | undefined;
  const server: Server = createServer((request, response) => {
    const method = (request.url ?? '').replace('/api/', '');
    methods.push(`${method} ${String(request.headers.authorization).replace('Bearer ', '')}`);
    const { port } = address(server);
    const body = {
      ok: true,
      ...(method === 'auth.test'
        ? { team_id: TEAM, user_id: BOT, bot_id: 'B0BOT00001' }
        : { url: `ws://127.0.0.1:${port}/link` }),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    methods,
    apiUrl: `http://127.0.0.1:${address(server).port}/api/`,
    deliver: (type, payload) =>
      new Promise((resolve) => {
        socket?.once('message', () => resolve('acknowledged'));
        socket?.send(
          JSON.stringify({ type, envelope_id: 'e1', payload, accepts_response_payload: type !== 'events_api' }),
        );
      }),
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function address(server: Server): AddressInfo {
  const found = server.address();
  if (found === null || typeof found === 'string') throw new Error('The server is not listening. Start it first.');
  return found;
}
