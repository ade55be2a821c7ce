import { BOT } from '../people.ts';
import type { SessionState } from '../records.ts';
import { findMessage, messageKey, putMessage } from '../state.ts';
import { type Call, json, type Method, needText, PlatformError, text } from './call.ts';
import { writableChannel } from './chat.ts';

/** What the bot says about a thread without writing into it: its state, its title, a reaction. */

const TITLE_MOST = 200;
const PROMPTS_MOST = 4;

export const setSessionStatus: Method = (call) => {
  const status = needText(call, 'status');
  if (status !== 'processing' && status !== 'suspended' && status !== 'active' && status !== 'closed') {
    throw new PlatformError('invalid_arguments', [`[ERROR] ${status} is not a session status`]);
  }
  const channel = writableChannel(call, 'channel_id');
  const initiator = text(call, 'initiator_user_id');
  if (initiator !== undefined && !channel.members.includes(initiator)) throw new PlatformError('user_not_in_channel');
  // Both are for a new session; a known one keeps what it has.
  const known = call.state.sessions.has(messageKey({ channel: channel.id, ts: needText(call, 'thread_ts') }));
  const title = titleOf(call);
  change(call, { status, ...(title === undefined || known ? {} : { title }) });
  return {};
};

export const renameSession: Method = (call) => {
  needText(call, 'title');
  change(call, { title: titleOf(call) ?? '' });
  return {};
};

export const setThreadStatus: Method = (call) => {
  change(call, { line: text(call, 'status') ?? '' });
  return {};
};

export const setThreadTitle: Method = renameSession;

export const setSuggestedPrompts: Method = (call) => {
  const prompts = json(call, 'prompts');
  if (!Array.isArray(prompts) || prompts.length > PROMPTS_MOST) throw new PlatformError('invalid_arguments');
  writableChannel(call, 'channel_id');
  return {};
};

export const addReaction: Method = (call) => {
  const { message, name } = reaction(call);
  const old = message.reactions.find((candidate) => candidate.name === name);
  if (old?.users.includes(BOT)) throw new PlatformError('already_reacted');
  const others = message.reactions.filter((candidate) => candidate !== old);
  putMessage(call.state, {
    ...message,
    reactions: [...others, { name, users: [...(old?.users ?? []), BOT] }],
  });
  return {};
};

export const removeReaction: Method = (call) => {
  const { message, name } = reaction(call);
  const old = message.reactions.find((candidate) => candidate.name === name);
  if (old === undefined || !old.users.includes(BOT)) throw new PlatformError('no_reaction');
  const users = old.users.filter((user) => user !== BOT);
  const others = message.reactions.filter((candidate) => candidate !== old);
  putMessage(call.state, { ...message, reactions: users.length === 0 ? others : [...others, { name, users }] });
  return {};
};

function reaction(call: Call) {
  const channel = writableChannel(call);
  const message = findMessage(call.state, channel.id, needText(call, 'timestamp'));
  if (message === undefined) throw new PlatformError('message_not_found');
  return { message, name: needText(call, 'name') };
}

function change(call: Call, news: SessionState): void {
  const channel = writableChannel(call, 'channel_id');
  const ts = needText(call, 'thread_ts');
  if (findMessage(call.state, channel.id, ts) === undefined) throw new PlatformError('thread_not_found');
  const name = messageKey({ channel: channel.id, ts });
  call.state.sessions.set(name, { ...call.state.sessions.get(name), ...news });
  call.state.changed();
}

function titleOf(call: Call): string | undefined {
  const title = text(call, 'title');
  if (title !== undefined && title.length > TITLE_MOST) throw new PlatformError('invalid_arguments');
  return title;
}
