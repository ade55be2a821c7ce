import { connect } from 'node:net';
import type { Receiver } from '@slack/bolt';
import { App } from '@slack/bolt';
import { afterEach, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { createReceiver } from '../../../handlers/door/receiver.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { freePort } from '../../support/servers.ts';

let sandbox: Sandbox;
let receiver: Receiver;
afterEach(async () => {
  await receiver.stop();
  await sandbox.close();
});

it('a broken address is answered and ends nothing, also in Socket Mode', async () => {
  sandbox = await startSandbox();
  const port = await freePort();
  const settings = { appToken: sandbox.appToken, apiUrl: sandbox.slackApiUrl, port };
  const route = {
    method: 'GET' as const,
    path: '/healthz',
    handler: (_: unknown, to: { end: (text: string) => void }) => to.end('ok'),
  };
  receiver = createReceiver({ ...settings, host: '127.0.0.1' }, [route], silentLog);
  new App({ receiver, token: sandbox.botToken, tokenVerificationEnabled: false, botId: 'B', botUserId: 'U' });
  await receiver.start();

  expect(await firstLine(port, 'GET // HTTP/1.1')).toContain('400');
  expect(await firstLine(port, 'GET /healthz HTTP/1.1')).toContain('200');
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
