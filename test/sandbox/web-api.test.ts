import { type KnownBlock, LogLevel, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, BEN, BOT, BOT_ID, directChannel, GENERAL, ON_CALL, OPS, TEAM } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { DOCUMENTED } from '../../sandbox/web-api/documented.ts';

let sandbox: Sandbox;
let client: WebClient;
let nowMs = Date.now();

beforeEach(async () => {
  nowMs = Date.now();
  sandbox = await startSandbox({ now: () => nowMs });
  client = clientWith(sandbox.botToken);
});

afterEach(() => sandbox.close());

const clientWith = (token: string) =>
  new WebClient(token, {
    slackApiUrl: sandbox.slackApiUrl,
    retryConfig: { retries: 1, minTimeout: 1, maxTimeout: 1 },
    logger: silent,
  });

/** The client reports every refusal, and here they are meant. */
const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => LogLevel.ERROR,
};

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const section = (text: string): KnownBlock => ({ type: 'section', text: plain(text) });
const post = (...blocks: KnownBlock[]) => client.chat.postMessage({ channel: OPS, text: 'x', blocks });
/** For blocks that the types would not let through. */
const postRaw = (blocks: unknown) => client.apiCall('chat.postMessage', { channel: OPS, text: 'x', blocks });
const refusal = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message.replace('An API error occurred: ', '') : undefined;
};

it('the sandbox knows the bot by its token and refuses other tokens', async () => {
  expect(await client.auth.test()).toMatchObject({ ok: true, user_id: BOT, bot_id: BOT_ID, team_id: TEAM });
  expect(await refusal(clientWith('xoxb-wrong').auth.test())).toBe('invalid_auth');
  expect(await refusal(clientWith('').auth.test())).toBe('not_authed');
  expect(await refusal(clientWith(sandbox.appToken).auth.test())).toBe('not_allowed_token_type');
  expect(await refusal(client.apps.connections.open())).toBe('not_allowed_token_type');
});

it('with the token of an organisation, some methods have to be told the workspace', async () => {
  const { clientId: client_id, clientSecret: client_secret, url } = sandbox;
  const page = `${url}/oauth/v2/authorize?client_id=${client_id}&team=E0ACME0001&redirect_uri=http://localhost/`;
  const agreed = await fetch(page, { redirect: 'manual' });
  const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { access_token } = await client.oauth.v2.access({ client_id, client_secret, code });
  const org = clientWith(access_token ?? '');
  const { teams = [] } = await org.auth.teams.list();
  const [first, second] = teams.map(({ id }) => id ?? '');

  expect(await refusal(org.users.list({}))).toBe('missing_argument');
  expect(await refusal(org.usergroups.users.list({ usergroup: ON_CALL }))).toBe('missing_argument');
  expect(await refusal(org.users.list({ team_id: TEAM }))).toBe('team_access_not_granted');
  expect(await org.users.list({ team_id: `${first}` })).toMatchObject({ ok: true });
  expect(await org.usergroups.users.list({ usergroup: ON_CALL, team_id: `${first}` })).toMatchObject({ users: [BEN] });
  expect(await refusal(org.usergroups.users.list({ usergroup: ON_CALL, team_id: `${second}` }))).toBe(
    'no_such_subteam',
  );
  expect(await client.usergroups.users.list({ usergroup: ON_CALL })).toMatchObject({ users: [BEN] });
});

it.each<readonly [string, number, (size: number) => KnownBlock[]]>([
  ['blocks of a message', 50, (size) => Array.from({ length: size }, () => ({ type: 'divider' }))],
  ['text of a section', 3000, (size) => [section('x'.repeat(size))]],
  ['fields of a section', 10, (size) => [{ type: 'section', fields: Array.from({ length: size }, () => plain('x')) }]],
  ['text of a field', 2000, (size) => [{ type: 'section', fields: [plain('x'.repeat(size))] }]],
  ['text of a header', 150, (size) => [{ type: 'header', text: plain('x'.repeat(size)) }]],
  [
    'elements of a context',
    10,
    (size) => [{ type: 'context', elements: Array.from({ length: size }, () => plain('x')) }],
  ],
  [
    'buttons',
    25,
    (size) => [{ type: 'actions', elements: Array.from({ length: size }, (_, i) => button({ action_id: `a${i}` })) }],
  ],
  ['text of a button', 75, (size) => [actions(button({ text: plain('x'.repeat(size)) }))]],
  ['value of a button', 2000, (size) => [actions(button({ value: 'x'.repeat(size) }))]],
  ['label of a button', 75, (size) => [actions(button({ accessibility_label: 'x'.repeat(size) }))]],
  ['action id', 255, (size) => [actions(button({ action_id: 'x'.repeat(size) }))]],
  ['block id', 255, (size) => [{ ...section('x'), block_id: 'x'.repeat(size) }]],
  [
    'options of an overflow menu',
    5,
    (size) => [
      actions({ type: 'overflow', action_id: 'm', options: Array.from({ length: size }, (_, i) => option(`${i}`)) }),
    ],
  ],
  [
    'value of an option',
    150,
    (size) => [actions({ type: 'overflow', action_id: 'm', options: [option('x'.repeat(size))] })],
  ],
  [
    'title of a confirmation',
    100,
    (size) => [actions(button({ confirm: { title: plain('x'.repeat(size)), text: plain('Sure?') } }))],
  ],
  ['text of a confirmation', 300, (size) => [actions(button({ confirm: { text: plain('x'.repeat(size)) } }))]],
])('the sandbox takes %s up to %i and no further', async (_, most, make) => {
  await post(...make(most));
  expect(await refusal(post(...make(most + 1)))).toBe('invalid_blocks');
});

it('the sandbox refuses too much text in all blocks together, and too much Markdown', async () => {
  const third = section('x'.repeat(3000));
  await post(third, third, third, third);
  expect(await refusal(post(third, third, third, third, third))).toBe('msg_blocks_too_long');
  expect(await refusal(post({ type: 'markdown', text: 'x'.repeat(12_001) }))).toBe('invalid_blocks');
  expect(await refusal(client.chat.postMessage({ channel: OPS, markdown_text: 'x'.repeat(12_001) }))).toBe(
    'msg_too_long',
  );
});

it('the sandbox refuses blocks that are no blocks', async () => {
  expect(await refusal(postRaw([{ type: 'nonsense' }]))).toBe('invalid_blocks');
  expect(await refusal(postRaw([{ ...section('x'), colour: 'red' }]))).toBe('invalid_blocks');
  expect(await refusal(post({ type: 'section' }))).toBe('invalid_blocks');
  expect(await refusal(post({ ...section('x'), block_id: 'b' }, { ...section('y'), block_id: 'b' }))).toBe(
    'invalid_blocks',
  );
  expect(await refusal(post(actions(button({}), button({}))))).toBe('invalid_blocks');
  expect(await refusal(postRaw('oops'))).toBe('invalid_arguments');
  expect(await refusal(client.chat.postMessage({ channel: OPS, text: '' }))).toBe('no_text');
});

it('the sandbox keeps metadata, and shows it to callers that ask for it', async () => {
  const metadata = { event_type: 'card', event_payload: { key: 'k1' } };
  const root = await client.chat.postMessage({ channel: OPS, text: 'root', metadata });
  const ts = root.ts ?? '';
  await client.chat.postMessage({ channel: OPS, thread_ts: ts, text: 'answer' });

  const asked = await client.conversations.replies({ channel: OPS, ts, include_all_metadata: true });
  const notAsked = await client.conversations.replies({ channel: OPS, ts });

  expect(asked.messages?.map(({ text }) => text)).toEqual(['root', 'answer']);
  expect(asked.messages?.[0]?.metadata).toEqual(metadata);
  expect(notAsked.messages?.[0]?.metadata).toBeUndefined();
});

it('the sandbox gives long threads in pages, with the root on each', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'root' });
  for (const text of ['1', '2', '3']) await client.chat.postMessage({ channel: OPS, thread_ts: ts, text });

  const first = await client.conversations.replies({ channel: OPS, ts, limit: 2 });
  const cursor = first.response_metadata?.next_cursor ?? '';
  const second = await client.conversations.replies({ channel: OPS, ts, limit: 2, cursor });

  expect(first.messages?.map(({ text }) => text)).toEqual(['root', '1', '2']);
  expect(second.messages?.map(({ text }) => text)).toEqual(['root', '3']);
  expect(second.has_more).toBe(false);
});

it('the sandbox lets the bot change and delete its own messages only', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'old', blocks: [section('old')] });
  await client.chat.update({ channel: OPS, ts, text: 'new' });
  expect(sandbox.world.message({ channel: OPS, ts })).toMatchObject({ text: 'new', blocks: [{ type: 'section' }] });

  const theirs = await sandbox.world.say(ANN, OPS, 'mine');
  expect(await refusal(client.chat.update({ channel: OPS, ts: theirs.ts, text: 'no' }))).toBe('cant_update_message');
  expect(await refusal(client.chat.update({ channel: OPS, ts: '1.0', text: 'no' }))).toBe('message_not_found');
  await client.chat.delete({ channel: OPS, ts });
  expect(sandbox.world.message({ channel: OPS, ts })).toBeUndefined();
});

it('the bot cannot write to a channel that it is not in', async () => {
  sandbox.world.channels.set(GENERAL, {
    id: GENERAL,
    name: 'general',
    type: 'channel',
    members: [ANN],
    isArchived: false,
  });
  expect(await refusal(client.chat.postMessage({ channel: GENERAL, text: 'x' }))).toBe('not_in_channel');
  expect(await refusal(client.chat.postMessage({ channel: 'C0NOWHERE1', text: 'x' }))).toBe('channel_not_found');
  const ephemeral = client.chat.postEphemeral({ channel: directChannel(ANN), user: BEN, text: 'x' });
  expect(await refusal(ephemeral)).toBe('user_not_in_channel');
});

it('a private answer in a thread is seen only where the thread has a reply', async () => {
  const { ts: thread_ts } = await sandbox.world.say(ANN, OPS, 'hello');
  const whisper = (text: string) => client.chat.postEphemeral({ channel: OPS, user: ANN, thread_ts, text });
  const seen = () => sandbox.world.ephemerals(ANN).map(({ text }) => text);

  expect(await whisper('before')).toMatchObject({ ok: true });
  await client.chat.postMessage({ channel: OPS, thread_ts, text: 'a reply' });
  await whisper('after');

  expect(seen()).toContain('after');
  expect(seen()).not.toContain('before');
});

it('a streamed answer ends after five minutes', async () => {
  const { ts: thread_ts } = await sandbox.world.say(ANN, OPS, 'hello');
  const whom = { recipient_team_id: TEAM, recipient_user_id: ANN };
  const streamer = client.chatStream({ channel: OPS, thread_ts, ...whom, buffer_size: 1 });
  await streamer.append({ markdown_text: 'Hello ' });
  await streamer.append({ chunks: [{ type: 'task_update', id: '1', title: 'Looking', status: 'in_progress' }] });
  await streamer.append({ markdown_text: 'world.' });
  const { ts = '' } = await streamer.stop();
  const message = sandbox.world.message({ channel: OPS, ts });
  expect(message?.text).toBe('Hello world.');
  expect(message?.blocks.map(({ type }) => type)).toEqual(['task_card', 'markdown']);

  const second = await client.chat.startStream({ channel: OPS, thread_ts, ...whom });
  nowMs += 5 * 60_000 + 1;
  const late = client.chat.appendStream({ channel: OPS, ts: second.ts ?? '', markdown_text: 'late' });
  expect(await refusal(late)).toBe('message_not_in_streaming_state');
  expect(await refusal(client.chat.startStream({ channel: OPS, thread_ts }))).toBe('missing_recipient_user_id');
});

it('the sandbox says who people are', async () => {
  expect((await client.users.info({ user: ANN })).user).toMatchObject({ id: ANN, name: 'ann', is_bot: false });
  expect((await client.usergroups.users.list({ usergroup: ON_CALL })).users).toEqual([BEN]);
  expect((await client.conversations.open({ users: ANN })).channel?.id).toBe(directChannel(ANN));
  expect((await client.conversations.members({ channel: OPS })).members).toContain(BEN);
  expect(await refusal(client.users.info({ user: 'U0NOBODY01' }))).toBe('user_not_found');
});

it('the sandbox takes a file in three steps', async () => {
  const root = await client.chat.postMessage({ channel: OPS, text: 'root' });
  await client.filesUploadV2({ channel_id: OPS, thread_ts: root.ts ?? '', filename: 'input.json', content: '{"a":1}' });

  const [, message] = sandbox.world.messages({ channel: OPS, ts: root.ts ?? '' });
  expect(message?.files).toMatchObject([{ name: 'input.json', content: '{"a":1}' }]);
});

it('a view opens only with a trigger that is fresh and unused', async () => {
  const view = { type: 'modal' as const, title: plain('Title'), blocks: [section('x')] };
  const trigger = async () => {
    const { payload } = (await sandbox.world.shortcut(ANN, await sandbox.world.say(ANN, OPS, 'x'), 's')).delivery;
    return String(payload.trigger_id);
  };
  const [fresh, late] = [await trigger(), await trigger()];

  await client.views.open({ trigger_id: fresh, view });
  expect(sandbox.world.views(ANN)).toHaveLength(1);
  expect(await refusal(client.views.open({ trigger_id: fresh, view }))).toBe('exchanged_trigger_id');
  nowMs += 3001;
  expect(await refusal(client.views.open({ trigger_id: late, view }))).toBe('expired_trigger_id');
  const long = { ...view, title: plain('x'.repeat(25)) };
  expect(await refusal(client.views.open({ trigger_id: late, view: long }))).toBe('invalid_arguments');
  const [open] = sandbox.world.views(ANN);
  const raced = client.views.update({ view_id: open?.id ?? '', hash: 'old', view });
  expect(await refusal(raced)).toBe('hash_conflict');
});

it('the sandbox takes five answers at a response address within thirty minutes', async () => {
  const address = async () => {
    const { payload } = (await sandbox.world.shortcut(ANN, await sandbox.world.say(ANN, OPS, 'x'), 's')).delivery;
    return String(payload.response_url);
  };
  const answer = async (url: string) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'psst' }) })).status;
  const [busy, old] = [await address(), await address()];

  const statuses = [];
  for (let use = 0; use < 6; use += 1) statuses.push(await answer(busy));
  nowMs += 30 * 60_000 + 1;

  expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
  expect(await answer(old)).toBe(404);
  expect(sandbox.world.ephemerals(ANN)).toHaveLength(5);
});

it('the sandbox fails as it was told to, once or for as long as told', async () => {
  const { faults } = sandbox.world;
  faults.set('chat.postMessage', { type: 'platform', error: 'is_archived' });
  expect(await refusal(client.chat.postMessage({ channel: OPS, text: 'x' }))).toBe('is_archived');

  faults.set('*', { type: 'status', status: 500 }, Number.POSITIVE_INFINITY);
  expect(await refusal(client.auth.test())).toContain('500');
  faults.clear();
  await client.auth.test();
});

it('the sandbox gives out little of a thread on demand: so many messages a call, and one call in its time (SURF-3)', async () => {
  const root = await sandbox.world.say(ANN, OPS, 'first');
  for (let at = 0; at < 5; at += 1) await sandbox.world.say(ANN, OPS, `${at}`, { thread: root });
  sandbox.world.faults.set('conversations.replies', { type: 'rationed', most: 2, everyMs: 60_000 }, 9);
  const read = async (cursor = '') => {
    const form = { token: sandbox.botToken, channel: OPS, ts: root.ts, limit: '200', cursor };
    const url = `${sandbox.slackApiUrl}conversations.replies`;
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
  };
  const first = await read();
  expect(first.body).toMatchObject({ messages: [{ text: 'first' }, { text: '0' }, { text: '1' }], has_more: true });
  nowMs += 20_000;
  expect(await read()).toMatchObject({ status: 429, retryAfter: '40' });
  nowMs += 40_000;
  expect(
    (await read((first.body as { response_metadata: { next_cursor: string } }).response_metadata.next_cursor)).body,
  ).toMatchObject({ messages: [{ text: 'first' }, { text: '2' }, { text: '3' }], has_more: true });
});

it('the sandbox can do what was asked and lose the answer, so that a second attempt makes a second message', async () => {
  sandbox.world.faults.set('chat.postMessage', { type: 'lost' });

  await client.chat.postMessage({ channel: OPS, text: 'twice' });

  expect(sandbox.world.channel(OPS).map(({ text }) => text)).toEqual(['twice', 'twice']);
  expect(sandbox.world.requests.map(({ method }) => method)).toEqual(['chat.postMessage', 'chat.postMessage']);
});

function actions(...elements: Extract<KnownBlock, { type: 'actions' }>['elements']): KnownBlock {
  return { type: 'actions', elements };
}

function button(more: object) {
  return { type: 'button' as const, text: plain('x'), action_id: 'same', ...more };
}

function option(value: string) {
  return { text: plain('x'), value };
}

it.each([...DOCUMENTED])(
  'the sandbox answers %s with each of its documented codes on demand, once (SURF-3)',
  async (method, codes) => {
    const { faults } = sandbox.world;
    const answer = async () => {
      const body = new URLSearchParams({ token: sandbox.botToken });
      const response = await fetch(`${sandbox.slackApiUrl}${method}`, { method: 'POST', body });
      return (await response.json()) as { readonly ok: boolean; readonly error?: string };
    };
    const answered: unknown[] = [];
    for (const error of codes) {
      faults.set(method, { type: 'platform', error });
      answered.push(await answer());
    }
    expect(answered).toEqual(codes.map((error) => ({ ok: false, error })));
    // An empty call may be refused with one of the others.
    faults.set(method, { type: 'platform', error: 'fatal_error' });
    expect((await answer()).error).toBe('fatal_error');
    expect((await answer()).error).not.toBe('fatal_error');
  },
);

it.each([
  ...['stopped_by_user', 'message_not_in_streaming_state'].map((code) => ['chat.appendStream', code]),
  ...['streaming_state_conflict', 'is_inactive', 'block_mismatch', 'token_expired'].map((code) => [
    'chat.update',
    code,
  ]),
  ...['msg_blocks_too_long', 'ekm_access_denied', 'org_login_required', 'account_inactive'].map((code) => [
    'chat.postMessage',
    code,
  ]),
  ...['messages_tab_disabled', 'cannot_reply_to_message', 'restricted_action'].map((code) => [
    'chat.postMessage',
    code,
  ]),
  ...['read_only_channel', 'thread_locked', 'non_threadable_channel', 'thread_only_channel'].map((what) => [
    'chat.postMessage',
    `restricted_action_${what}`,
  ]),
  ['agents.sessions.setStatus', 'feature_disabled'],
])('%s is documented to answer %s (SURF-3)', (method, code) => {
  expect(DOCUMENTED.get(method)).toContain(code);
});
