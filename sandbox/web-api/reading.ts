import type { ApiJson, ApiObject } from '../json.ts';
import type { Channel, UserGroup } from '../people.ts';
import type { SlackMessage } from '../records.ts';
import { byTs, findMessage, messagesOf } from '../state.ts';
import { channelOnWire, groupOnWire, messageOnWire, personOnWire } from '../wire.ts';
import { type Call, count, flag, type Method, needText, PlatformError, text } from './call.ts';
import { openDirect, writableChannel } from './chat.ts';
import { teamOfCall } from './teams.ts';

/** Looking things up: what was said, who is who. */

const PAGE = 100;
const PAGE_MOST = 1000;

export const replies: Method = (call) => {
  const channel = readableChannel(call);
  const named = findMessage(call.state, channel, needText(call, 'ts'));
  if (named === undefined) throw new PlatformError('thread_not_found');
  const [root, ...answers] = messagesOf(call.state, named);
  const { items, more, rest } = paged(call, within(call, answers));
  // The root stands at the head of every page.
  return { messages: [...(root === undefined ? [] : [root]), ...items].map(onWire(call)), has_more: more, ...rest };
};

export const history: Method = (call) => {
  const channel = readableChannel(call);
  const roots = [...call.state.messages.values()]
    .filter((message) => message.channel === channel && message.threadTs === undefined)
    .sort((one, other) => byTs(other, one));
  const { items, more, rest } = paged(call, within(call, roots));
  return { messages: items.map(onWire(call)), has_more: more, ...rest };
};

export const info: Method = (call) => ({ channel: channelOnWire(knownChannel(call), call.state.team) });

export const members: Method = (call) => {
  const { items, rest } = paged(call, knownChannel(call).members);
  return { members: items, ...rest };
};

function knownChannel(call: Call): Channel {
  const channel = call.state.channels.get(needText(call, 'channel'));
  if (channel === undefined) throw new PlatformError('channel_not_found');
  return channel;
}

export const open: Method = (call) => {
  const users = (text(call, 'users') ?? '').split(',').filter((user) => user !== '');
  if (users.length === 0) throw new PlatformError('users_list_not_supplied');
  if (users.length > 1) throw new PlatformError('method_not_supported_for_channel_type');
  const person = call.state.people.get(users[0] ?? '');
  if (person === undefined) throw new PlatformError('user_not_found');
  if (person.isDeactivated) throw new PlatformError('user_disabled');
  const { channel, isNew } = openDirect(call, person);
  return { channel: { id: channel.id }, ...(isNew ? {} : { no_op: true, already_open: true }) };
};

export const userInfo: Method = (call) => {
  const person = call.state.people.get(needText(call, 'user'));
  if (person === undefined) throw new PlatformError('user_not_found');
  return { user: personOnWire(call.state, person) };
};

export const userList: Method = (call) => {
  const team = teamOfCall(call);
  const { organisation } = call.state;
  const there = [...call.state.people.values()].filter(({ teamId }) => organisation === undefined || teamId === team);
  const { items, rest } = paged(call, there);
  return {
    members: items.map((person) => personOnWire(call.state, person)),
    cache_ts: Math.floor(call.state.now() / 1000),
    ...rest,
  };
};

export const groupList: Method = (call) => ({
  usergroups: [...call.state.groups.values()]
    .filter((group) => isOf(call, group))
    .map((group) => groupOnWire(group, teamOfCall(call))),
});

export const groupMembers: Method = (call) => {
  const group = call.state.groups.get(needText(call, 'usergroup'));
  if (group === undefined || !isOf(call, group)) throw new PlatformError('no_such_subteam');
  return { users: group.members };
};

function isOf(call: Call, { teamId = call.state.team }: UserGroup): boolean {
  return teamId === teamOfCall(call);
}

export const teamInfo: Method = ({ state }) => ({ team: { id: state.team, name: 'Demo', domain: 'demo' } });

function readableChannel(call: Call): string {
  return writableChannel(call).id;
}

function onWire(call: Call): (message: SlackMessage) => ApiObject {
  const metadata = flag(call, 'include_all_metadata') ?? false;
  return (message) => messageOnWire(call.state, message, { metadata });
}

function within(call: Call, messages: readonly SlackMessage[]): readonly SlackMessage[] {
  const oldest = Number(text(call, 'oldest') ?? 0);
  const latest = Number(text(call, 'latest') ?? Number.POSITIVE_INFINITY);
  const inclusive = flag(call, 'inclusive') ?? false;
  return messages.filter(({ ts }) => {
    const time = Number(ts);
    return inclusive ? time >= oldest && time <= latest : time > oldest && time < latest;
  });
}

interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** What every answer in pages says. */
  readonly rest: ApiObject;
}

function paged<T>(call: Call, items: readonly T[]): Page<T> {
  const limit = Math.min(count(call, 'limit') || PAGE, PAGE_MOST);
  const cursor = text(call, 'cursor') ?? '';
  const start = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(start)) throw new PlatformError('invalid_cursor');
  const end = start + limit;
  const more = end < items.length;
  const next: ApiJson = more ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { items: items.slice(start, end), more, rest: { response_metadata: { next_cursor: next } } };
}
