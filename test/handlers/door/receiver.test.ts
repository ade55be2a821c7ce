import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { connect } from 'node:net';
import { App } from '@slack/bolt';
import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { installRoutes } from '../../../handlers/door/install.ts';
import { createReceiver, type Route, type SlackSettings } from '../../../handlers/door/receiver.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { freePort } from '../../support/servers.ts';
import { SECRET, signed, slackApi, TOKEN } from '../../support/slack.ts';

/** A receiver that stops with its test. */
function receiverOf(settings: SlackSettings, routes: readonly Route[] = []) {
  const receiver = createReceiver(settings, routes, silentLog);
  new App({ receiver, token: TOKEN, tokenVerificationEnabled: false, botId: 'B', botUserId: 'U' });
  onTestFinished(async () => void (await receiver.stop()));
  return receiver;
}

it('a broken address is answered and ends nothing, also in Socket Mode', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const port = await freePort();
  const settings = { appToken: sandbox.appToken, apiUrl: sandbox.slackApiUrl, port };
  const route = {
    method: 'GET' as const,
    path: '/healthz',
    handler: (_: unknown, to: { end: (text: string) => void }) => to.end('ok'),
  };
  await receiverOf({ ...settings, host: '127.0.0.1' }, [route]).start();

  expect(await firstLine(port, 'GET // HTTP/1.1')).toContain('400');
  expect(await firstLine(port, 'GET /healthz HTTP/1.1')).toContain('200');
});

it.each(['null', '[]', '"press"', '7'])('a signed body that is %s is refused, and ends nothing', async (body) => {
  const port = await freePort();
  await receiverOf({ signingSecret: SECRET, port }).start();
  const send = (headers: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${port}/slack/events`, {
      ...{ method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) },
      headers: { ...headers, 'content-type': 'application/json' },
    });

  expect((await send(signed(body))).status).toBe(400);
  expect((await send({})).status).toBe(401);
});

it('deliveries over HTTP are taken at the address of HOST alone', async () => {
  const server = await receiverOf({ signingSecret: SECRET, host: '127.0.0.1' }).start();

  expect(server instanceof Server && server.address()).toMatchObject({ address: '127.0.0.1' });
});

it.each([
  ['over HTTP', { signingSecret: SECRET }],
  ['beside Socket Mode', { appToken: 'xapp-1-test' }],
])('a port %s that another program has taken is named, with what to do', async (_where, settings) => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const receiver = createReceiver({ ...settings, port, host: '127.0.0.1' }, [], silentLog);

  await expect(receiver.start()).rejects.toThrow(
    `Port ${port} is taken by another program. Stop that program, or set PORT to another port.`,
  );
});

it('a start in Socket Mode that Slack never answers fails as an outage, and blames no token', async () => {
  const api = slackApi();
  api.next('apps.connections.open', ...Array.from({ length: 200 }, () => ({ type: 'lost' as const })));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let why = '';
  receiverOf({ appToken: 'xapp-1-test' })
    .start()
    .catch((error: unknown) => (why = String(error)));
  while (why === '') {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(10_000);
  }

  expect(why).toContain('A request error occurred');
});

it('an installation begins on the page of Slack, with the scopes of the bot and its address for the way back', async () => {
  const port = await freePort();
  const settings = {
    ...{ clientId: 'client', clientSecret: 'secret', stateSecret: 'state' },
    publicUrl: 'https://bot.example',
  };
  const routes = installRoutes(settings, { keep: async () => {}, isListed: () => true }, silentLog);
  await receiverOf({ signingSecret: SECRET, port }, routes).start();

  const answer = await fetch(`http://127.0.0.1:${port}/slack/install`, { redirect: 'manual' });

  const to = new URL(answer.headers.get('location') ?? '');
  expect([answer.status, to.origin + to.pathname]).toEqual([302, 'https://slack.com/oauth/v2/authorize']);
  expect(to.searchParams.get('redirect_uri')).toBe('https://bot.example/slack/oauth_redirect');
  expect(to.searchParams.get('scope')?.split(',')).toContain('chat:write');
});

/** Sent as it stands: a client of ours would refuse to. */
function firstLine(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${request}\r\nHost: x\r\nConnection: close\r\n\r\n`));
    socket.once('data', (data) => {
      resolve(data.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
