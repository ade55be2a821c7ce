import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ApiObject } from '../../sandbox/json.ts';
import { ANN, DEACTIVATED, directChannel, OTHER_BOT, OUTSIDER, SLACKBOT } from '../../sandbox/people.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';

/** What the sandbox refuses because Slack does. Calls go over plain HTTP, so that no types and no client stand between. */

let sandbox: Sandbox;
beforeEach(() => restart());
afterEach(() => sandbox.close());

async function restart(options: SandboxOptions = {}): Promise<void> {
  await sandbox?.close();
  sandbox = await startSandbox(options);
}

async function call(method: string, fields: ApiObject, token = sandbox.botToken): Promise<ApiObject> {
  const response = await fetch(`${sandbox.slackApiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return (await response.json()) as ApiObject;
}

const refusal = async (method: string, fields: ApiObject) => (await call(method, fields)).error;

it('a post that names a person opens the direct conversation and answers with its id (DEMO-6)', async () => {
  const posted = await call('chat.postMessage', { channel: OUTSIDER, text: 'hello' });

  expect(posted).toMatchObject({ ok: true, channel: directChannel(OUTSIDER) });
  expect(sandbox.world.channel(directChannel(OUTSIDER)).map(({ text }) => text)).toEqual(['hello']);
});

it.each(['chat.update', 'chat.delete'])('%s with the id of a person finds no channel (DEMO-6)', async (method) => {
  const { ts } = await call('chat.postMessage', { channel: ANN, text: 'hello' });

  expect(await refusal(method, { channel: ANN, ts, text: 'changed' })).toBe('channel_not_found');
  expect(await call(method, { channel: directChannel(ANN), ts, text: 'changed' })).toMatchObject({ ok: true });
});

it.each<readonly [string, ApiObject]>([
  ['chat.postEphemeral', { channel: ANN, user: ANN, text: 'psst' }],
  ['chat.startStream', { channel: ANN, thread_ts: '1.0' }],
  ['conversations.history', { channel: ANN }],
  ['reactions.add', { channel: ANN, timestamp: '1.0', name: 'eyes' }],
  ['agents.sessions.setStatus', { channel_id: ANN, thread_ts: '1.0', status: 'active' }],
])('%s with the id of a person finds no channel either (DEMO-6)', async (method, fields) => {
  expect(await refusal(method, fields)).toBe('channel_not_found');
});

it('no direct conversation opens with a deactivated person, a bot or Slackbot (DEMO-6)', async () => {
  const opened = (user: string) => refusal('conversations.open', { users: user });
  const posted = (user: string) => refusal('chat.postMessage', { channel: user, text: 'hello' });

  expect([await opened(DEACTIVATED), await posted(DEACTIVATED)]).toEqual(['user_disabled', 'channel_not_found']);
  for (const bot of [OTHER_BOT, SLACKBOT]) {
    expect([await opened(bot), await posted(bot)]).toEqual(['cannot_dm_bot', 'cannot_dm_bot']);
  }
});
