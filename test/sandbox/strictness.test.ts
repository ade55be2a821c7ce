import { afterEach, beforeEach, expect, it } from 'vitest';
import { readManifest } from '../../sandbox/demo/manifest.ts';
import type { ApiObject } from '../../sandbox/json.ts';
import { ANN, DEACTIVATED, directChannel, OPS, OTHER_BOT, OUTSIDER, SLACKBOT } from '../../sandbox/people.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';

/** What the sandbox refuses because Slack does. Calls go over plain HTTP, so that no types and no client stand between. */

let sandbox: Sandbox;
beforeEach(() => restart());
afterEach(() => sandbox.close());

async function restart(options: SandboxOptions = {}): Promise<void> {
  await sandbox?.close();
  sandbox = await startSandbox(options);
}

async function call(method: string, fields: ApiObject): Promise<ApiObject> {
  const response = await fetch(`${sandbox.slackApiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.botToken}`, 'content-type': 'application/json' },
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

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const inActions = (...elements: ApiObject[]) => ({ type: 'actions', elements });
const posted = (...blocks: ApiObject[]) => call('chat.postMessage', { channel: OPS, text: 'x', blocks });
const chosenFrom = (type: string, more: ApiObject) => inActions({ type, action_id: 'a', ...more });

it.each<readonly [string, ApiObject, string]>([
  [
    'an initial option that is not among the options',
    chosenFrom('static_select', { options: [option('a')], initial_option: option('b') }),
    'initial_option',
  ],
  [
    'an initial option with other words than the option of this value',
    chosenFrom('static_select', { options: [option('a')], initial_option: { ...option('a'), text: plain('Other') } }),
    'initial_option',
  ],
  [
    'an initial option that is in no group',
    chosenFrom('static_select', {
      option_groups: [{ label: plain('G'), options: [option('a')] }],
      initial_option: option('b'),
    }),
    'initial_option',
  ],
  [
    'an initial radio button that is not among the others',
    chosenFrom('radio_buttons', { options: [option('a')], initial_option: option('b') }),
    'initial_option',
  ],
  [
    'one of several initial boxes that is not among the boxes',
    chosenFrom('checkboxes', { options: [option('a')], initial_options: [option('a'), option('b')] }),
    'initial_options',
  ],
  [
    'one of several initial choices that is not among the options',
    chosenFrom('multi_static_select', { options: [option('a')], initial_options: [option('b')] }),
    'initial_options',
  ],
  ['a menu without options', chosenFrom('static_select', {}), 'options'],
  [
    'a menu with options and with groups of options',
    chosenFrom('static_select', {
      options: [option('a')],
      option_groups: [{ label: plain('G'), options: [option('a')] }],
    }),
    'options',
  ],
])('the sandbox refuses %s, and says at which field (DEMO-6)', async (_, block, field) => {
  expect(await posted(block)).toEqual({
    ok: false,
    error: 'invalid_blocks',
    response_metadata: { messages: [expect.stringMatching(new RegExp(`/blocks/0/elements/0/${field}\\]$`))] },
  });
});

it('the sandbox takes an initial option that is among the options or in a group of them (DEMO-6)', async () => {
  const [a, b] = [option('a'), option('b')];
  const groups = [{ label: plain('G'), options: [a, b] }];

  expect(await posted(chosenFrom('static_select', { options: [a, b], initial_option: b }))).toMatchObject({ ok: true });
  expect(await posted(chosenFrom('static_select', { option_groups: groups, initial_option: b }))).toMatchObject({
    ok: true,
  });
  expect(await posted(chosenFrom('checkboxes', { options: [a, b], initial_options: [b] }))).toMatchObject({ ok: true });
});

const richText = (...elements: ApiObject[]) => ({ type: 'rich_text', elements });
const line = (...elements: ApiObject[]) => richText({ type: 'rich_text_section', elements });

it.each<readonly [string, ApiObject]>([
  ['a piece of a kind that Slack does not know', line({ type: 'marquee', text: 'x' })],
  ['an empty text', line({ type: 'text', text: '' })],
  ['a text without its text', line({ type: 'text' })],
  ['a field that a text has not', line({ type: 'text', text: 'x', colour: 'red' })],
  ['a style that Slack does not know', line({ type: 'text', text: 'x', style: { blink: true } })],
  ['a link without an address', line({ type: 'link', text: 'x' })],
  ['a person without an id', line({ type: 'user' })],
  ['a broadcast to a range that Slack does not know', line({ type: 'broadcast', range: 'world' })],
  ['a part of a kind that Slack does not know', richText({ type: 'rich_text_heading', elements: [] })],
  ['a list without a style', richText({ type: 'rich_text_list', elements: [] })],
  [
    'a list with a text where an item belongs',
    richText({ type: 'rich_text_list', style: 'bullet', elements: [{ type: 'text', text: 'x' }] }),
  ],
  [
    'preformatted text with a person in it',
    richText({ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: ANN }] }),
  ],
])('the sandbox refuses rich text with %s (DEMO-6)', async (_, block) => {
  expect(await refusal('chat.postMessage', { channel: OPS, text: 'x', blocks: [block] })).toBe('invalid_blocks');
});

it('the sandbox takes each kind of rich text that Slack has (DEMO-6)', async () => {
  const text = { type: 'text', text: 'x', style: { bold: true } };
  const pieces = [
    text,
    { type: 'link', url: 'https://example.com', text: 'x' },
    { type: 'emoji', name: 'wave' },
    { type: 'user', user_id: ANN },
    { type: 'usergroup', usergroup_id: 'S0ONCALL01' },
    { type: 'channel', channel_id: OPS },
    { type: 'team', team_id: 'T0DEMO0001' },
    { type: 'broadcast', range: 'here' },
    { type: 'color', value: '#ff0000' },
    { type: 'date', timestamp: 1_700_000_000, format: '{date}', fallback: 'x' },
  ];
  const section = { type: 'rich_text_section', elements: pieces };
  const block = richText(
    section,
    { type: 'rich_text_list', style: 'ordered', indent: 1, elements: [section] },
    { type: 'rich_text_quote', elements: pieces, border: 1 },
    { type: 'rich_text_preformatted', elements: [text] },
  );

  expect(await posted(block)).toMatchObject({ ok: true });
});

const press = { type: 'button', action_id: 'b', text: plain('x') };
const words = { type: 'plain_text_input', action_id: 'w' };
const opinion = {
  type: 'feedback_buttons',
  action_id: 'o',
  positive_button: { text: plain('x'), value: 'x' },
  negative_button: { text: plain('y'), value: 'y' },
};
const picture = { type: 'image', alt_text: 'x', image_url: 'https://example.com/x.png' };

it.each<readonly [string, ApiObject]>([
  ['a text field among buttons', inActions(words)],
  ['a picture among buttons', inActions(picture)],
  ['an opinion among buttons', inActions(opinion)],
  ['a text field beside a section', { type: 'section', text: plain('x'), accessory: words }],
  ['an opinion beside a section', { type: 'section', text: plain('x'), accessory: opinion }],
  ['a button as a field', { type: 'input', label: plain('x'), element: press }],
  ['a picture as a field', { type: 'input', label: plain('x'), element: picture }],
  ['a button where opinions stand', { type: 'context_actions', elements: [press] }],
  ['a text field on a card', { type: 'card', title: { type: 'mrkdwn', text: 'x' }, actions: [words] }],
])('the sandbox refuses %s (DEMO-6)', async (_, block) => {
  expect(await refusal('chat.postMessage', { channel: OPS, text: 'x', blocks: [block] })).toBe('invalid_blocks');
});

it('the sandbox takes each of these where Slack takes it (DEMO-6)', async () => {
  const blocks = [
    inActions(press),
    { type: 'section', text: plain('x'), accessory: picture },
    { type: 'input', label: plain('x'), element: words },
    { type: 'context_actions', elements: [opinion] },
  ];

  expect(await posted(...blocks)).toMatchObject({ ok: true });
});

/** Each scope of the manifest that a method needs, and a call that needs it. */
const NEEDING: readonly (readonly [string, string, ApiObject])[] = [
  ['chat:write', 'chat.postMessage', { channel: OPS, text: 'x' }],
  ['chat:write', 'chat.update', { channel: OPS, ts: '1.0', text: 'x' }],
  ['chat:write', 'agents.sessions.setStatus', { channel_id: OPS, thread_ts: '1.0', status: 'active' }],
  ['assistant:write', 'assistant.threads.setTitle', { channel_id: OPS, thread_ts: '1.0', title: 'x' }],
  ['channels:history', 'conversations.replies', { channel: OPS, ts: '1.0' }],
  ['im:history', 'conversations.history', { channel: directChannel(ANN) }],
  ['channels:read', 'conversations.members', { channel: OPS }],
  ['im:write', 'conversations.open', { users: ANN }],
  ['files:read', 'files.info', { file: 'F0NONE0001' }],
  ['files:write', 'files.getUploadURLExternal', { filename: 'x.txt', length: 1 }],
  ['reactions:write', 'reactions.add', { channel: OPS, timestamp: '1.0', name: 'eyes' }],
  ['usergroups:read', 'usergroups.users.list', { usergroup: 'S0ONCALL01' }],
  ['users:read', 'users.info', { user: ANN }],
];

it.each(NEEDING)('without the scope %s the sandbox refuses %s, and says so (DEMO-6)', async (scope, method, fields) => {
  const { scopes = [] } = readManifest('manifest.yml');
  const others = scopes.filter((one) => one !== scope);
  await restart({ scopes: others });

  expect(await call(method, fields)).toEqual({
    ok: false,
    error: 'missing_scope',
    needed: scope,
    provided: others.join(','),
  });
});

it.each(NEEDING)(
  'with the scopes of the manifest, %s among them, the sandbox plays %s (DEMO-6)',
  async (...needing) => {
    const [, method, fields] = needing;
    await restart(readManifest('manifest.yml'));

    expect(await refusal(method, fields)).not.toBe('missing_scope');
  },
);

it('a method about a conversation that is not known needs the scope of one kind of conversation (DEMO-6)', async () => {
  await restart({ scopes: ['chat:write'] });
  expect(await call('conversations.history', { channel: 'C0NOWHERE1' })).toMatchObject({
    error: 'missing_scope',
    needed: 'channels:history,groups:history,im:history,mpim:history',
  });

  await restart({ scopes: ['groups:history'] });
  expect(await refusal('conversations.history', { channel: 'C0NOWHERE1' })).toBe('channel_not_found');
});

it('without the scope to read files a file is behind the login page (DEMO-6)', async () => {
  const read = async () => {
    const [file] = (await sandbox.world.say(ANN, OPS, 'look', { files: [{ name: 'a.txt', content: 'secret' }] })).files;
    const response = await fetch(file?.url ?? '', { headers: { authorization: `Bearer ${sandbox.botToken}` } });
    return response.text();
  };
  expect(await read()).toBe('secret');

  await restart({ scopes: ['chat:write'] });
  expect(await read()).toContain('Sign in');
});

it('conversations.open says that a conversation was open only if it was, and needs a person (DEMO-6)', async () => {
  const id = directChannel(OUTSIDER);

  expect(await call('conversations.open', { users: OUTSIDER })).toEqual({ ok: true, channel: { id } });
  expect(await call('conversations.open', { users: OUTSIDER })).toEqual({
    ...{ ok: true, channel: { id } },
    ...{ no_op: true, already_open: true },
  });
  expect(await refusal('conversations.open', {})).toBe('users_list_not_supplied');
});

it('lists of people come in pages by cursor alone (DEMO-6)', async () => {
  const page = await call('users.list', { limit: 1 });

  expect(page).not.toHaveProperty('has_more');
  expect(page.response_metadata).toEqual({ next_cursor: expect.stringMatching(/./) });
});

it('a post of more than 40,000 letters is cut, with a warning (DEMO-6)', async () => {
  const whole = await call('chat.postMessage', { channel: OPS, text: 'x'.repeat(40_000) });
  const cut = await call('chat.postMessage', { channel: OPS, text: 'x'.repeat(40_001) });

  expect([whole.warning, cut.warning]).toEqual([undefined, 'message_truncated']);
  expect(sandbox.world.channel(OPS).map(({ text }) => text.length)).toEqual([40_000, 40_000]);
});

it('no two open modals have the same external id, and a change may keep its own (DEMO-6)', async () => {
  const trigger_id = async () => {
    const shortcut = await sandbox.world.shortcut(ANN, await sandbox.world.say(ANN, OPS, 'x'), 's');
    return String(shortcut.delivery.payload.trigger_id);
  };
  const view = { type: 'modal', title: plain('T'), blocks: [], external_id: 'one' };
  await call('views.open', { trigger_id: await trigger_id(), view });

  expect(await refusal('views.open', { trigger_id: await trigger_id(), view })).toBe('duplicate_external_id');
  expect(await call('views.update', { external_id: 'one', view })).toMatchObject({ ok: true });
  expect(sandbox.world.views(ANN)).toHaveLength(1);
});

const container = (fields: ApiObject, ...children: readonly ApiObject[]): ApiObject => ({
  channel: OPS,
  text: 'a container',
  blocks: [
    { type: 'container', title: { type: 'plain_text', text: 'What it holds' }, child_blocks: [...children], ...fields },
  ],
});
const SECTION = { type: 'section', text: { type: 'mrkdwn', text: 'inside' } };

const VIDEO = {
  ...{ type: 'video', video_url: 'https://videos.example.com/1', thumbnail_url: 'https://videos.example.com/1.png' },
  ...{ alt_text: 'How a card is answered', title: plain('x'.repeat(199)), author_name: 'x'.repeat(49) },
};

it('a container takes the blocks that Slack lets stand in one (DEMO-6)', async () => {
  const header = { type: 'header', text: { type: 'plain_text', text: 'inside' } };
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'inside' }]] };

  expect(
    await call('chat.postMessage', container({ width: 'wide' }, SECTION, header, table, VIDEO, { type: 'divider' })),
  ).toMatchObject({ ok: true });
});

it.each<readonly [string, ApiObject]>([
  ['no type that Slack has', container({}, { type: 'unknown' })],
  ['a container in a container', container({}, { type: 'container', child_blocks: [SECTION] })],
  ['markdown', container({}, { type: 'markdown', text: 'inside' })],
  ['a section without a text', container({}, { type: 'section' })],
  ['a field that the block has not', container({}, { ...SECTION, color: 'red' })],
  ['a video with a title of 200 characters', container({}, { ...VIDEO, title: plain('x'.repeat(200)) })],
  ['a video of an author of 50 characters', container({}, { ...VIDEO, author_name: 'x'.repeat(50) })],
  ['a video without HTTPS', container({}, { ...VIDEO, video_url: 'http://videos.example.com/1' })],
  ['11 blocks', container({}, ...Array.from({ length: 11 }, () => SECTION))],
  ['one block_id twice', container({}, { ...SECTION, block_id: 'a' }, { ...SECTION, block_id: 'a' })],
  ['the block_id of the container', container({ block_id: 'a' }, { ...SECTION, block_id: 'a' })],
])('a container is refused with %s in it (DEMO-6)', async (_what, message) => {
  expect(await refusal('chat.postMessage', message)).toBe('invalid_blocks');
});

it.each<readonly [string, ApiObject]>([
  ['without a title', { title: null }],
  ['with a title of 151 characters', { title: { type: 'plain_text', text: 'x'.repeat(151) } }],
  ['that begins collapsed and cannot be', { default_collapsed: true }],
  ['of an unknown width', { width: 'huge' }],
])('a container %s is refused (DEMO-6)', async (_what, fields) => {
  expect(await refusal('chat.postMessage', container(fields, SECTION))).toBe('invalid_blocks');
});
