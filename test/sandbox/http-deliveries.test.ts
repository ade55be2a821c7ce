import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sign } from '../../sandbox/delivery/http.ts';
import { ANN, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { freePort } from '../support/servers.ts';

let sandbox: Sandbox;
let app: App;
let address: string;

beforeEach(async () => {
  sandbox = await startSandbox({ eventRetryMs: [0, 1, 1] });
  const receiver = new HTTPReceiver({ signingSecret: sandbox.signingSecret, logLevel: LogLevel.ERROR });
  app = new App({
    receiver,
    token: sandbox.botToken,
    clientOptions: { slackApiUrl: sandbox.slackApiUrl },
    logLevel: LogLevel.ERROR,
  });
  const port = await freePort();
  address = `http://127.0.0.1:${port}/slack/events`;
  sandbox.deliverTo(address);
  await app.start(port);
});

afterEach(async () => {
  await app.stop();
  await sandbox.close();
});

it('the sandbox signs events so that the real receiver takes them', async () => {
  const heard: string[] = [];
  app.event('app_mention', async ({ event }) => {
    heard.push(event.text);
  });

  const message = await sandbox.world.say(ANN, OPS, '@countersign hello');
  const settled = await Promise.all(sandbox.world.deliveriesOf(message).map(({ settled }) => settled));

  expect(settled.map(({ type }) => type)).toEqual(['acknowledged', 'acknowledged']);
  expect(heard).toEqual([message.text]);
});

it('the sandbox delivers presses and commands as forms, and reads their answers', async () => {
  const { world } = sandbox;
  app.action('go', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'pressed', response_type: 'ephemeral', replace_original: false });
  });
  app.command('/trusted', async ({ ack, command }) => ack(`${command.user_name} wrote ${command.text}`));
  await app.client.chat.postMessage({
    channel: OPS,
    text: 'Go?',
    blocks: [
      { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }] },
    ],
  });
  const [message] = world.channel(OPS);
  if (message === undefined) throw new Error('The message is not there.');

  const { acknowledgement } = await world.press(ANN, message, 'go');
  await world.command(ANN, OPS, '/trusted', 'café & co');

  expect(acknowledgement.type).toBe('acknowledged');
  await world.until(() => world.ephemerals(ANN).length === 2);
  expect(
    world
      .ephemerals(ANN)
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(['ann wrote café &amp; co', 'pressed']);
});

it('the sandbox delivers an event up to three times more while it is not taken, and says so in the headers', async () => {
  sandbox.deliverTo(address.replace('/slack/events', '/nowhere'));

  const delivery = sandbox.world.event({ type: 'reaction_added', user: ANN });

  expect(await delivery.settled).toEqual({ type: 'unanswered', reason: 'http_error' });
  expect(delivery.attempts).toBe(4);

  const retries: unknown[] = [];
  app.event('reaction_added', async ({ context }) => {
    retries.push([context.retryNum, context.retryReason]);
  });
  sandbox.deliverTo(address);
  await sandbox.world.redeliver(delivery);
  await sandbox.world.duplicate(delivery);
  expect(retries).toEqual([
    [1, 'http_timeout'],
    [undefined, undefined],
  ]);
});

it('the sandbox tells a person that a press was not acknowledged in time', async () => {
  await sandbox.close();
  sandbox = await startSandbox({ acknowledgeWithinMs: 50, deliverTo: address });

  const delivery = await sandbox.world.command(ANN, OPS, '/slow');

  expect(delivery).toMatchObject({ acknowledgement: { type: 'unanswered' } });
  expect(sandbox.world.ephemerals(ANN).map(({ text }) => text)).toEqual([
    '/slow failed with the error "operation_timeout"',
  ]);
});

it('the real receiver refuses the sandbox when it signs with another secret', async () => {
  const body = JSON.stringify({ type: 'event_callback', event: { type: 'app_mention' } });
  const timestamp = `${Math.floor(Date.now() / 1000)}`;
  const send = (signature: string) =>
    fetch(address, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signature,
      },
    });

  expect((await send(sign('another secret', timestamp, body))).status).toBe(401);
  expect((await send(sign(sandbox.signingSecret, timestamp, body))).status).toBe(200);
});
