import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { at, parseJson } from '../../sandbox/json.ts';
import { ANN, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

/** What an app sees that opens its own sockets and does nothing by itself. */

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

async function openSocket() {
  const headers = { authorization: `Bearer ${sandbox.appToken}` };
  const response = await fetch(`${sandbox.slackApiUrl}apps.connections.open`, { method: 'POST', headers });
  const { url } = (await response.json()) as { readonly url: string };
  const socket = new WebSocket(url);
  const heard: unknown[] = [];
  socket.on('message', (data) => {
    const message = parseJson(String(data));
    heard.push(at(message, 'type') === 'disconnect' ? at(message, 'reason') : at(message, 'type'));
    const envelope = at(message, 'envelope_id');
    if (envelope !== undefined) socket.send(JSON.stringify({ envelope_id: envelope }));
  });
  await once(socket, 'message');
  return { socket, heard, closed: once(socket, 'close') };
}

it.each(['refresh_requested', 'too_many_websockets'] as const)(
  'the sandbox says %s and then closes the socket itself, and the app may open another (DEMO-6)',
  async (reason) => {
    const { heard, closed } = await openSocket();

    sandbox.sockets.refresh(reason);
    await closed;
    await sandbox.world.until(() => sandbox.sockets.count() === 0);
    const next = await openSocket();
    await sandbox.world.event({ type: 'reaction_added', user: ANN }).settled;

    expect(heard).toEqual(['hello', reason]);
    expect(next.heard).toEqual(['hello', 'events_api']);
  },
);

it('a warning leaves the socket open (DEMO-6)', async () => {
  const { heard, socket } = await openSocket();

  sandbox.sockets.refresh('warning');
  await sandbox.world.event({ type: 'reaction_added', user: ANN }).settled;

  expect(heard).toEqual(['hello', 'warning', 'events_api']);
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

it('what comes while a socket closes waits for the next one (DEMO-6)', async () => {
  const first = await openSocket();

  sandbox.sockets.refresh();
  const message = await sandbox.world.say(ANN, OPS, 'hello');
  await first.closed;
  const second = await openSocket();
  await Promise.all(sandbox.world.deliveriesOf(message).map(({ settled }) => settled));

  expect(first.heard).toEqual(['hello', 'refresh_requested']);
  expect(second.heard).toEqual(['hello', 'events_api']);
});
