import { once } from 'node:events';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiJson, at } from '../../sandbox/json.ts';
import { ANN, OPS, OUTSIDER } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

/** A socket that acknowledges only what a test tells it to. */
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({
    eventRetryMs: [0],
    events: ['app_mention', 'reaction_added'],
  });
});

afterEach(() => sandbox.close());

async function connect() {
  const client = new WebClient(sandbox.appToken, { slackApiUrl: sandbox.slackApiUrl });
  const { url = '' } = await client.apps.connections.open();
  const socket = new WebSocket(url);
  const heard: ApiJson[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)));
    for (const resume of waiting.splice(0)) resume();
  });
  await once(socket, 'open');
  return {
    socket,
    heard,
    next: async (index: number) => {
      while (heard.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
      return heard[index] ?? null;
    },
    acknowledge: (envelope: ApiJson, payload: ApiJson = {}) =>
      socket.send(JSON.stringify({ envelope_id: at(envelope, 'envelope_id'), payload })),
  };
}

const happen = () => sandbox.world.event({ type: 'reaction_added', user: ANN });

it('the sandbox greets a socket, and lets every address be used once only', async () => {
  const { socket, next } = await connect();
  expect(await next(0)).toMatchObject({ type: 'hello', num_connections: 1 });

  const again = new WebSocket(socket.url);
  const [error] = await once(again, 'error');
  expect(String(error)).toContain('401');
});

it('the sandbox delivers an event again that was not acknowledged in time', async () => {
  const { next, acknowledge } = await connect();
  const delivery = happen();
  expect(await next(1)).toMatchObject({ type: 'events_api', retry_attempt: 0 });

  const second = await next(2);
  expect(second).toMatchObject({ retry_attempt: 1, retry_reason: 'http_timeout', payload: delivery.payload });
  acknowledge(second);

  expect(await delivery.settled).toMatchObject({ type: 'acknowledged' });
});

it('the sandbox delivers an event to another socket when the first one broke before the acknowledgement', async () => {
  const first = await connect();
  const delivery = happen();
  await first.next(1);
  first.socket.terminate();

  const second = await connect();
  const envelope = await second.next(1);
  expect(at(envelope, 'payload', 'event_id')).toBe(delivery.payload.event_id);
  second.acknowledge(envelope);

  expect(await delivery.settled).toMatchObject({ type: 'acknowledged' });
});

it('the sandbox repeats a delivery on request', async () => {
  const { heard, next, acknowledge } = await connect();
  const delivery = happen();
  acknowledge(await next(1));
  await delivery.settled;

  const again = sandbox.world.duplicate(delivery);
  acknowledge(await next(2));
  await again;

  expect(heard.slice(1).map((envelope) => at(envelope, 'payload', 'event_id'))).toEqual([
    delivery.payload.event_id,
    delivery.payload.event_id,
  ]);
});

it('the sandbox asks sockets to reconnect, as Slack does', async () => {
  const { next } = await connect();
  await next(0);
  sandbox.sockets.refresh('warning');
  expect(await next(1)).toEqual({ type: 'disconnect', reason: 'warning' });
});

it('the sandbox sends only events that the app subscribed to', async () => {
  const { heard, next } = await connect();
  await sandbox.world.say(ANN, OPS, '@countersign hello');
  await next(1);
  expect(heard.map((envelope) => at(envelope, 'payload', 'event', 'type'))).toEqual([undefined, 'app_mention']);
});

it('the sandbox presses what is not drawn only where it is told to forge', async () => {
  const { next, acknowledge } = await connect();
  const message = await sandbox.world.say(ANN, OPS, 'no buttons here');
  await expect(sandbox.world.press(ANN, message, 'approve')).rejects.toThrow('Drawn now: nothing to press.');

  const pressed = sandbox.world.press(OUTSIDER, message, 'approve', { forged: true, value: 'guessed' });
  const envelope = await next(1);
  acknowledge(envelope);
  await pressed;

  expect(at(envelope, 'payload', 'user', 'team_id')).not.toBe(at(envelope, 'payload', 'team', 'id'));
  expect(at(envelope, 'payload', 'actions', 0)).toMatchObject({ action_id: 'approve', value: 'guessed' });
});

it('a wait sees a delivery that comes after it began and changes nothing in the workspace', async () => {
  const root = await sandbox.world.say(ANN, OPS, 'look');
  const seen = sandbox.world.until(() =>
    sandbox.world.deliveries.find(({ payload }) => payload.type === 'message_action'),
  );
  await sandbox.world.shortcut(ANN, root, 'ask');

  expect((await seen).payload).toMatchObject({ callback_id: 'ask' });
});
