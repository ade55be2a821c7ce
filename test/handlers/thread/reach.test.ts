import { beforeEach, describe, expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import { createReach } from '../../../handlers/thread/reach.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import type { ApiObject } from '../../../sandbox/json.ts';
import { type SlackApi, slackApi, TEAM, TOKEN } from '../../support/slack.ts';
import { parts } from '../parts.ts';
import { ANN, BEN, THREAD } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  api = slackApi();
});

const steeredBy = [ANN, BEN].map((user) => UserId.parse(user));
const MEMBER = { team_id: TEAM, deleted: false, is_bot: false, is_restricted: false };
const accounts = (...users: readonly ApiObject[]) =>
  api.next('users.info', ...users.map((user) => ({ type: 'json' as const, body: { ok: true, user } })));

const { signal } = new AbortController();

function reachOf() {
  const { log } = parts();
  return createReach(createSlackClient({ botToken: TOKEN }, log), { asking: async () => [{}] }, log);
}

function find(query: string, steered = steeredBy) {
  return reachOf().findPerson(THREAD, query, { limit: 10, signal, steeredBy: steered });
}

describe('the directory of a workspace', () => {
  it.each([
    ['a guest', { ...MEMBER, is_restricted: true }],
    ['a person of another organisation', { ...MEMBER, team_id: 'T0ELSEWHERE' }],
    ['a bot', { ...MEMBER, is_bot: true }],
    ['a person of whom Slack does not say enough', { team_id: TEAM }],
  ])('is not read for a call that %s steered beside a full member (EDGE-5, T14)', async (_who, account) => {
    accounts(MEMBER, account);

    await expect(find('okafor')).rejects.toThrow('for its full members');
    expect(api.to('users.list')).toEqual([]);
  });

  it('is not read where it is not known who steered the call (EDGE-5, T14)', async () => {
    await expect(find('okafor', [])).rejects.toThrow('for its full members');
    expect(api.to('users.list')).toEqual([]);
  });

  it('tells full members of people of their own organisation alone (EDGE-5, T14)', async () => {
    accounts(MEMBER, MEMBER);
    const named = (id: string, more: object) => ({ ...MEMBER, id, name: id.toLowerCase(), ...more });
    const members = [
      named('U0IN', { profile: { real_name: 'Ben Okafor' } }),
      named('U0OUT', { profile: { real_name: 'Eve Okafor' }, team_id: 'T0ELSEWHERE' }),
    ];
    api.next('users.list', { type: 'json', body: { ok: true, members } });

    expect(await find('okafor')).toMatchObject([{ id: 'U0IN', name: 'Ben Okafor' }]);
  });

  it.each([
    ['one sign', 'Jos\u00E9'],
    ['two signs', 'Jose\u0301'],
  ])('finds a person by a name with an accent, which the profile writes as %s', async (_how, real_name) => {
    accounts(MEMBER, MEMBER, MEMBER, MEMBER);
    const members = [{ ...MEMBER, id: 'U0JOSE', name: 'jose', profile: { real_name } }];
    api.next('users.list', { type: 'json', body: { ok: true, members } });
    api.next('users.list', { type: 'json', body: { ok: true, members } });

    expect(await find('jos\u00E9')).toMatchObject([{ id: 'U0JOSE' }]);
    expect(await find('jose\u0301')).toMatchObject([{ id: 'U0JOSE' }]);
  });
});

describe('a thread', () => {
  const page = (messages: readonly ApiObject[], next_cursor = '') => ({
    ...{ type: 'json' as const, body: { ok: true, messages, response_metadata: { next_cursor } } },
  });

  it('is read as people wrote it, and not as Slack escapes it', async () => {
    api.next(
      'conversations.replies',
      page([{ ts: '1.1', user: ANN, text: 'run a &lt; b &amp;&amp; c &gt; &amp;lt;' }]),
    );

    const [said] = await reachOf().readThread(THREAD, { limit: 5, signal });

    expect(said?.text).toBe('run a < b && c > &lt;');
  });

  it('of which not all can be read is not taken for one whose newest messages were read (T20)', async () => {
    const old = page(
      Array.from({ length: 200 }, () => ({ ts: '1.1', user: ANN, text: 'old' })),
      'more',
    );
    api.next('conversations.replies', ...Array.from({ length: 30 }, () => old));

    await expect(reachOf().readThread(THREAD, { limit: 5, signal })).rejects.toThrow('more than 5,000 messages');
  });
});

it('a post to another channel needs its requester to be a member there (T14)', async () => {
  const post = { thread: THREAD, channel: 'C0ELSE', text: 'Done.', requester: UserId.parse(ANN), key: 'run/1', signal };
  const members = (...users: readonly string[]) =>
    api.next('conversations.members', { type: 'json', body: { ok: true, members: users } });

  members(BEN);
  await expect(reachOf().post(post)).rejects.toThrow('not a member of that channel');
  expect(api.to('chat.postMessage')).toEqual([]);
  members(BEN, ANN);
  await reachOf().post(post);
  expect(api.to('chat.postMessage')).toHaveLength(1);
});

it('a message that has only a file, or only a forwarded message, is read with it', async () => {
  api.next('conversations.replies', {
    type: 'json',
    body: {
      ok: true,
      messages: [
        { ts: '1.1', user: BEN, text: '', files: [{ id: 'F1', name: 'log.txt' }] },
        { ts: '1.2', user: ANN, text: '', attachments: [{ is_share: true, author_id: BEN, text: 'mail is down' }] },
      ],
    },
  });
  api.next('users.list', { type: 'json', body: { ok: true, members: [] } });

  expect(await reachOf().readThread(THREAD, { limit: 10, signal })).toMatchObject([
    { by: BEN, text: '', files: ['log.txt'] },
    { by: ANN, text: '', forwarded: [{ by: BEN, text: 'mail is down' }] },
  ]);
});

it('a post of which Slack took only the first message is in doubt, and is not told as one that was not sent', async () => {
  api.next('conversations.members', { type: 'json', body: { ok: true, members: [ANN] } });
  const took = { type: 'json', body: { ok: true, ts: '1.1' } } as const;
  api.next('chat.postMessage', took, { type: 'json', body: { ok: false, error: 'msg_too_long' } });
  const text = 'The deploy is done. '.repeat(499);
  const post = { thread: THREAD, channel: 'C0ELSE', text, requester: UserId.parse(ANN), key: 'run/1', signal };

  expect(await reachOf().post(post)).toEqual({ known: 'Slack is known to have taken 1 of its 2 messages.' });
});

it.each([
  ['is not repeated where it stands', 'B0BOT00001', 1],
  ['is not taken for a message of another app with the same key', 'B0OTHER001', 2],
])('a post to another channel whose answer was lost %s', async (_, bot_id, sent) => {
  api.next('conversations.members', { type: 'json', body: { ok: true, members: [ANN] } });
  api.next('chat.postMessage', { type: 'lost' });
  const metadata = { event_type: 'countersign_tool_post', event_payload: { key: 'run/1#0' } };
  api.next('conversations.history', { type: 'json', body: { messages: [{ ts: '1.1', bot_id, metadata }] } });
  const post = { thread: THREAD, channel: 'C0ELSE', text: 'Done.', requester: UserId.parse(ANN), key: 'run/1', signal };

  await reachOf().post(post);

  expect(api.to('chat.postMessage')).toHaveLength(sent);
});
