import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, GENERAL, OPS, TEAM } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { folderOfTest } from '../support/folder.ts';

let file: string;
let sandbox: Sandbox;
let troubles: string[];

beforeEach(async () => {
  file = join(folderOfTest('kept'), 'workspace.json');
  await start();
});
afterEach(() => sandbox.close());

async function start() {
  troubles = [];
  sandbox = await startSandbox({ keptIn: { file, onTrouble: (sentence) => troubles.push(sentence) } });
}

const client = () => new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });

it('a sandbox that is closed and started again has its messages, sessions, Home tabs and files (DEMO-4)', async () => {
  const bytes = new Uint8Array([0, 255, 7]);
  const root = await sandbox.world.say(ANN, OPS, 'look at this', { files: [{ name: 'a.png', content: bytes }] });
  const thread = { channel: OPS, thread_ts: root.ts };
  const { ts = '' } = await client().chat.postMessage({ ...thread, text: 'Approval needed' });
  await client().chat.update({ channel: OPS, ts, text: 'Approved' });
  await client().agents.sessions.setStatus({ channel_id: OPS, thread_ts: root.ts, status: 'suspended' });
  await client().views.publish({ user_id: ANN, view: { type: 'home', blocks: [{ type: 'divider' }] } });
  const before = { messages: sandbox.world.messages(root), home: sandbox.world.home(ANN) };
  await sandbox.close();
  await start();

  const [first, second] = sandbox.world.messages(root);
  expect(first).toMatchObject({ text: 'look at this', blocks: before.messages[0]?.blocks });
  expect(second).toMatchObject({ text: 'Approved', earlier: [{ text: 'Approval needed' }] });
  expect(sandbox.world.session(root).status).toBe('suspended');
  expect(sandbox.world.home(ANN)).toEqual(before.home);
  const { url = '' } = first?.files[0] ?? {};
  const answer = await fetch(url, { headers: { authorization: `Bearer ${sandbox.botToken}` } });
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  expect(troubles).toEqual([]);
});

it('a channel that was archived is archived at the next start, and one that was brought back is not (DEMO-4)', async () => {
  for (const channel of [OPS, GENERAL]) await sandbox.world.archive(ANN, channel, true);
  await sandbox.world.archive(ANN, GENERAL, false);
  await sandbox.close();
  await start();

  await expect(client().chat.postMessage({ channel: OPS, text: 'hello' })).rejects.toThrow('is_archived');
  await client().chat.postMessage({ channel: GENERAL, text: 'hello' });
  await sandbox.world.archive(ANN, OPS, false);
  await client().chat.postMessage({ channel: OPS, text: 'hello' });
});

it('locked threads, edited messages and deleted ones are so at the next start (DEMO-4)', async () => {
  const { world } = sandbox;
  const locked = await world.say(ANN, OPS, 'locked');
  await world.lock(locked, true);
  const { editedTs } = await world.edit(ANN, await world.say(ANN, OPS, 'first words'), 'other words');
  const deleted = await world.say(ANN, OPS, 'deleted');
  const answer = await world.say(ANN, OPS, 'stays below', { thread: deleted });
  await world.remove(deleted);
  const before = world.channel(OPS).map(({ ts, text }) => [ts, text]);
  await sandbox.close();
  await start();

  expect(sandbox.world.channel(OPS).map(({ ts, text }) => [ts, text])).toEqual(before);
  expect(before.map(([, text]) => text)).toEqual(expect.arrayContaining(['locked', 'other words', answer.text]));
  expect(sandbox.world.message(deleted)).toBeUndefined();
  expect(sandbox.world.channel(OPS)[1]?.editedTs).toBe(editedTs);
  await expect(sandbox.world.say(ANN, OPS, 'me too', { thread: locked })).rejects.toThrow('is locked');
});

it('a file from before archived channels were kept is taken up (DEMO-4)', async () => {
  await sandbox.world.say(ANN, OPS, 'remember me');
  await sandbox.close();
  const { archived: _, ...older } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(older));
  await start();

  expect(sandbox.world.channel(OPS).map(({ text }) => text)).toEqual(['remember me']);
  expect(troubles).toEqual([]);
});

it('a stream that was open when the sandbox ended is a finished message at the next start (DEMO-4)', async () => {
  const root = await sandbox.world.say(ANN, OPS, 'tell me');
  const recipient = { recipient_team_id: TEAM, recipient_user_id: ANN };
  const { ts = '' } = await client().chat.startStream({
    channel: OPS,
    thread_ts: root.ts,
    ...recipient,
    markdown_text: 'First half',
  });
  await sandbox.close();
  await start();

  expect(sandbox.world.message({ channel: OPS, ts })).toMatchObject({ text: 'First half', stream: { open: false } });
  await client().chat.update({ channel: OPS, ts, text: 'First half, and the rest.' });
  expect(sandbox.world.message({ channel: OPS, ts })?.text).toBe('First half, and the rest.');
});

it('what the app posts is in the file before Slack answers, so that both know the same after a kill (DEMO-4)', async () => {
  await client().chat.postMessage({ channel: OPS, text: 'Approval needed' });

  expect(readFileSync(file, 'utf8')).toContain('Approval needed');
});

it('a large workspace is in its file soon after a change, and not with each (DEMO-4)', async () => {
  const content = new Uint8Array(500_000);
  await sandbox.world.say(ANN, OPS, 'look at this', { files: [{ name: 'a.bin', content }] });
  await sandbox.world.say(ANN, OPS, 'remember me');

  expect(readFileSync(file, 'utf8')).not.toContain('remember me');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('remember me');
});

it.each(['{"version":1,"messages":[["a",', '{"version":2}', '[]'])(
  'a file that is no workspace is set aside, and a sentence says where it is: %s (DEMO-4)',
  async (broken) => {
    await sandbox.close();
    writeFileSync(file, broken);
    await start();

    const aside = readdirSync(join(file, '..')).find((name) => name.startsWith('workspace.json.broken-')) ?? '';
    expect(readFileSync(join(file, '..', aside), 'utf8')).toBe(broken);
    expect(troubles).toEqual([expect.stringMatching(new RegExp(`cannot be read.*${aside}.*begins empty`))]);
    expect(sandbox.world.channel(OPS)).toEqual([]);
  },
);
