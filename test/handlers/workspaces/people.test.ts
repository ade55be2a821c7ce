import { expect, it, vi } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { UserId } from '../../../app/records/index.ts';
import { createAsker } from '../../../app/who-may-ask.ts';
import { createWhyNotHeard } from '../../../handlers/responding/index.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { createPeople, createTeams } from '../../../handlers/workspaces/index.ts';
import { slackApi, TEAM, TOKEN } from '../../support/slack.ts';

const THREAD = { team: TEAM, channel: 'C0OPS00001', ts: '1795251600.000001' };
const PRESSER = UserId.parse('U0PRESS001');
const PRESSERS = 20;

/** So many people have just written to the bot, and Slack was asked about as many of them as it tells of in a minute. */
async function flooded() {
  const api = slackApi();
  const client = createSlackClient({ botToken: TOKEN }, silentLog);
  const teams = createTeams({ client, bot: { team_id: TEAM, user_id: 'U0BOT00001' } });
  const people = createPeople({ client, teams, log: silentLog, elapsed: () => performance.now() });
  const asker = createAsker(people, 'members');
  const writes = (number: number) => asker.may({ thread: THREAD, user: author(number) }, 'message');
  for (let number = 0; number < 200; number += 1) void writes(number);
  const asked = () => api.to('users.info').map(({ args }) => args.user);
  await vi.waitUntil(() => asked().length > 0);
  return { api, asked, people, asker };
}

const author = (number: number) => UserId.parse(`U0AUTHOR${number}`);

it('who presses is looked up at once while many people write, whose messages wait for Slack’s rate (SURF-3)', async () => {
  const { asked, people } = await flooded();
  const pressers = Array.from({ length: PRESSERS }, (_, number) => UserId.parse(`${PRESSER}${number}`));

  expect(await Promise.all(pressers.map((user) => people.account({ user, team: TEAM })))).not.toContain('unknown');

  expect(asked()).toEqual(expect.arrayContaining(pressers));
  expect(asked().length).toBeLessThan(100);
});

it.each(['for the press', 'for a request by a button'])(
  'a person who wrote and then presses does not wait for the look-up of the message, but is looked up %s (SURF-3)',
  async (what) => {
    const { asked, people, asker } = await flooded();
    const waiting = author(199);
    expect(asked()).not.toContain(waiting);

    const known =
      what === 'for the press'
        ? people.account({ user: waiting, team: TEAM })
        : asker.may({ thread: THREAD, user: waiting }, 'press');

    expect(['person', 'yes']).toContain(await known);
    expect(asked()).toContain(waiting);
  },
);

/** What Slack says of people, as the bot asks for it. */
function asked(log = silentLog) {
  const api = slackApi();
  const client = createSlackClient({ botToken: TOKEN }, silentLog);
  const teams = createTeams({ client, bot: { team_id: TEAM, user_id: 'U0BOT00001' } });
  return { api, people: createPeople({ client, teams, log, elapsed: () => performance.now() }) };
}

it.each([
  ['a person whom Slack calls an admin', { is_admin: true }, true],
  ['a person whom Slack calls an owner', { is_owner: true }, true],
  ['any other member', {}, false],
  ['a guest whom Slack calls an admin', { is_admin: true, is_restricted: true }, false],
  ['an admin of another organisation', { is_admin: true, team_id: 'T0OTHER001' }, false],
])('%s, with the facts %j, is an admin of the workspace: %s (EDGE-7)', async (_who, facts, counts) => {
  const { api, people } = asked();
  const member = { id: PRESSER, team_id: TEAM, deleted: false, is_bot: false, is_restricted: false };
  api.next('users.info', { type: 'json', body: { user: { ...member, ...facts } } });

  expect(await people.isAdmin({ user: PRESSER, team: TEAM })).toBe(counts);
});

it('the members of a user group are those that Slack names, and no other person is one (P31)', async () => {
  const { api, people } = asked();
  api.next('usergroups.users.list', { type: 'json', body: { users: [PRESSER] } });

  expect(await people.isInGroup({ user: PRESSER, team: TEAM }, 'S0ONCALL01')).toBe(true);
  expect(await people.isInGroup({ user: author(1), team: TEAM }, 'S0ONCALL01')).toBe(false);
});

it('the log says of a channel with more members than are read that the others have no say', async () => {
  const warn = vi.fn();
  const { api, people } = asked({ ...silentLog, warn });
  const page = (from: number) => Array.from({ length: 200 }, (_, number) => author(from + number));
  const pages = Array.from({ length: 50 }, (_, number) => ({
    type: 'json' as const,
    body: { members: page(200 * number), response_metadata: { next_cursor: 'more' } },
  }));
  api.next('conversations.members', ...pages);

  expect(await people.isInChannel({ user: PRESSER, team: TEAM }, 'C0OPS00001')).toBe(false);
  expect(warn.mock.calls.map(([message]) => message).join()).toContain('the others have no say');
});

it('a person who may not ask is told so once, in the thread and to no other person (MF-6)', async () => {
  const api = slackApi();
  const client = createSlackClient({ botToken: TOKEN }, silentLog);
  const workspaces = { of: async () => ({ client, bot: { team_id: TEAM, user_id: 'U0BOT00001' } }) };
  const asker = { bots: false, may: async () => 'no' as const };
  const told = new Set<string>();
  const once = async (_thread: unknown, key: string) => told.size < told.add(key).size;
  const whyNotHeard = createWhyNotHeard({ asker, workspaces, runs: { once }, log: silentLog });
  const message = { thread: THREAD, user: PRESSER, userTeam: TEAM, text: 'hello', ts: '1795251600.000002' };

  expect(await whyNotHeard(message)).toMatch('may not ask');
  await whyNotHeard({ ...message, ts: '1795251600.000003' });
  await vi.waitUntil(() => api.to('chat.postEphemeral').length > 0);

  expect(api.to('chat.postEphemeral').map(({ args }) => args)).toMatchObject([
    {
      user: PRESSER,
      channel: THREAD.channel,
      thread_ts: THREAD.ts,
      text: expect.stringContaining('only from full members'),
    },
  ]);
});

it('what a press is answered goes out at once while many authors are told that they are not heard (SURF-3)', async () => {
  const api = slackApi();
  const client = createSlackClient({ botToken: TOKEN }, silentLog);
  const workspaces = { of: async () => ({ client, bot: { team_id: TEAM, user_id: 'U0BOT00001' } }) };
  const asker = { bots: false, may: async () => 'no' as const };
  const whyNotHeard = createWhyNotHeard({ asker, workspaces, runs: { once: async () => true }, log: silentLog });
  const message = { thread: THREAD, userTeam: TEAM, text: 'hello', ts: THREAD.ts };
  await Promise.all(Array.from({ length: 200 }, (_, number) => whyNotHeard({ ...message, user: author(number) })));

  await client.chat.postEphemeral({ channel: THREAD.channel, user: PRESSER, text: 'Already decided.' });

  const told = api.to('chat.postEphemeral').map(({ args }) => args.user);
  expect(told).toContain(PRESSER);
  expect(told.length).toBeLessThan(100);
});
