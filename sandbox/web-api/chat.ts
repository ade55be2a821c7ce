import { given } from '../../app/given.ts';
import { isObject } from '../json.ts';
import { installationIdOf } from '../organisation.ts';
import { BOT, BOT_ID, type Channel, directChannel, type PlayedPerson, SLACKBOT } from '../people.ts';
import type { SlackMessage, Stream } from '../records.ts';
import { findMessage, messageKey, putEphemeral, putMessage } from '../state.ts';
import { messageOnWire } from '../wire.ts';
import { blocks, type Call, flag, type Method, needText, object, PlatformError, text } from './call.ts';

/** Posting, changing and removing messages of the bot. */

const TEXT_MOST = 40_000;
const MARKDOWN_MOST = 12_000;

export const postMessage: Method = (call) => {
  const channel = channelToPostIn(call);
  const content = contentOf(call);
  const threadTs = threadOf(call, channel);
  const message = putMessage(call.state, { ...emptyMessage(channel.id, call.state.nextTs()), ...content, ...threadTs });
  tell(call, message);
  return {
    channel: channel.id,
    ts: message.ts,
    message: messageOnWire(call.state, message, { metadata: true }),
    ...((text(call, 'text')?.length ?? 0) > TEXT_MOST ? TRUNCATED : {}),
  };
};

const TRUNCATED = { warning: 'message_truncated', response_metadata: { warnings: ['message_truncated'] } };

export const update: Method = (call) => {
  const channel = writableChannel(call);
  const old = ownMessage(call, channel.id, 'cant_update_message');
  if ((text(call, 'text')?.length ?? 0) > TEXT_MOST) throw new PlatformError('msg_too_long');
  // A stream that ended by its age can be changed like any other message.
  if (old.stream !== undefined && isAlive(call, old.stream)) throw new PlatformError('streaming_state_conflict');
  const content = contentOf(call);
  const message = putMessage(call.state, {
    ...old,
    ...given({ stream: old.stream && { ...old.stream, open: false } }),
    text: content.text,
    // Without blocks the old ones stay; an empty list takes them away.
    blocks: call.arguments.blocks === undefined ? old.blocks : content.blocks,
    ...given({ metadata: content.metadata }),
    editedTs: call.state.nextTs(),
    earlier: [...old.earlier, { text: old.text, blocks: old.blocks }],
  });
  call.sendEvent({
    type: 'message',
    subtype: 'message_changed',
    channel: channel.id,
    channel_type: channel.type,
    hidden: true,
    ts: call.state.nextTs(),
    event_ts: call.state.nextTs(),
    message: messageOnWire(call.state, message, { metadata: true }),
    previous_message: messageOnWire(call.state, old, { metadata: true }),
  });
  return {
    channel: channel.id,
    ts: message.ts,
    text: message.text,
    message: messageOnWire(call.state, message, { metadata: true }),
  };
};

export function isAlive(call: Call, stream: Stream): boolean {
  return stream.open && call.state.now() - stream.startedAtMs <= call.streamLifeMs;
}

export const remove: Method = (call) => {
  const channel = writableChannel(call);
  const old = ownMessage(call, channel.id, 'cant_delete_message');
  call.state.messages.delete(messageKey(old));
  call.state.changed();
  call.sendEvent({
    type: 'message',
    subtype: 'message_deleted',
    channel: channel.id,
    channel_type: channel.type,
    hidden: true,
    deleted_ts: old.ts,
    ts: call.state.nextTs(),
    event_ts: call.state.nextTs(),
    previous_message: messageOnWire(call.state, old, { metadata: true }),
  });
  return { channel: channel.id, ts: old.ts };
};

export const postEphemeral: Method = (call) => {
  const channel = writableChannel(call);
  const user = needText(call, 'user');
  if (!call.state.people.has(user)) throw new PlatformError('user_not_found');
  if (!channel.members.includes(user)) throw new PlatformError('user_not_in_channel');
  const { text: shown, blocks: drawn } = contentOf(call);
  const whose = { channel: channel.id, to: user, from: BOT, ...threadOf(call, channel) };
  const { ts } = putEphemeral(call.state, { ...whose, text: shown, blocks: drawn });
  return { message_ts: ts };
};

export const getPermalink: Method = (call) => {
  const channel = needText(call, 'channel');
  const message = findMessage(call.state, channel, needText(call, 'message_ts'));
  if (message === undefined) throw new PlatformError('message_not_found');
  const thread = message.threadTs === undefined ? '' : `&thread=${message.threadTs}`;
  return { channel, permalink: `${call.address}/?channel=${channel}${thread}#${message.ts}` };
};

/** Only a post may name a person, in place of the direct conversation. It opens that conversation. */
function channelToPostIn(call: Call): Channel {
  const person = call.state.people.get(needText(call, 'channel'));
  if (person === undefined) return writableChannel(call);
  if (person.isDeactivated) throw new PlatformError('channel_not_found');
  return openDirect(call, person).channel;
}

/** The conversation of the bot with a person. It is made if there was none. */
export function openDirect(
  { state }: Call,
  { id: user, isBot }: PlayedPerson,
): { readonly channel: Channel; readonly isNew: boolean } {
  if (isBot || user === SLACKBOT) throw new PlatformError('cannot_dm_bot');
  const id = directChannel(user);
  const known = state.channels.get(id);
  if (known !== undefined) return { channel: known, isNew: false };
  const channel: Channel = { id, name: 'countersign', type: 'im', members: [user, BOT], isArchived: false };
  state.channels.set(id, channel);
  state.changed();
  return { channel, isNew: true };
}

/** The channel of a call, which the bot must be in. */
export function writableChannel(call: Call, name = 'channel'): Channel {
  const channel = call.state.channels.get(needText(call, name));
  if (channel === undefined) throw new PlatformError('channel_not_found');
  if (!channel.members.includes(BOT)) throw new PlatformError('not_in_channel');
  if (channel.isArchived) throw new PlatformError('is_archived');
  return channel;
}

export function threadOf(call: Call, channel: Channel): { readonly threadTs?: string } {
  const ts = text(call, 'thread_ts');
  if (ts === undefined || ts === '') return {};
  const root = findMessage(call.state, channel.id, ts);
  if (root === undefined) throw new PlatformError('thread_not_found');
  if (root.isLocked === true) throw new PlatformError('restricted_action_thread_locked');
  return { threadTs: root.threadTs ?? root.ts };
}

export function emptyMessage(channel: string, ts: string): SlackMessage {
  return { channel, ts, user: BOT, botId: BOT_ID, text: '', blocks: [], reactions: [], files: [], earlier: [] };
}

export function ownMessage(call: Call, channel: string, error: string): SlackMessage {
  const message = findMessage(call.state, channel, needText(call, 'ts'));
  if (message === undefined) throw new PlatformError('message_not_found');
  if (message.user !== BOT) throw new PlatformError(error);
  return message;
}

/** Sends the bot's own post back to it as an event, as Slack does. The bot has to ignore it. */
export function tell(call: Call, message: SlackMessage): void {
  const channel = call.state.channels.get(message.channel);
  call.sendEvent({
    ...messageOnWire(call.state, message, { metadata: true }),
    channel: message.channel,
    channel_type: channel?.type,
    event_ts: message.ts,
  });
}

function contentOf(call: Call): Pick<SlackMessage, 'text' | 'blocks' | 'metadata'> {
  for (const name of ['unfurl_links', 'unfurl_media', 'mrkdwn', 'link_names', 'reply_broadcast']) flag(call, name);
  const markdown = text(call, 'markdown_text');
  const shown = text(call, 'text') ?? '';
  const drawn = blocks(call) ?? [];
  if (markdown !== undefined) {
    if (shown !== '' || drawn.length > 0) throw new PlatformError('markdown_text_conflict');
    if (markdown.length > MARKDOWN_MOST) throw new PlatformError('msg_too_long');
  }
  if (shown === '' && drawn.length === 0 && (markdown ?? '') === '') throw new PlatformError('no_text');
  const metadata = object(call, 'metadata');
  if (metadata !== undefined && (typeof metadata.event_type !== 'string' || !isObject(metadata.event_payload))) {
    throw new PlatformError('invalid_metadata_format');
  }
  return {
    text: (markdown ?? shown).slice(0, TEXT_MOST),
    blocks: markdown === undefined ? drawn : [{ type: 'markdown', text: markdown, block_id: 'markdown' }],
    ...given({ metadata }),
  };
}

export const authTest: Method = (call) => ({
  url: `${call.address}/`,
  team: 'Demo',
  user: 'countersign',
  team_id: installationIdOf(call.state),
  user_id: BOT,
  bot_id: BOT_ID,
  is_enterprise_install: call.state.organisation !== undefined,
  ...given({ enterprise_id: call.state.organisation?.id }),
});
