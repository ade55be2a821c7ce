import { given } from '../../app/given.ts';
import type { Block } from '../block-kit/blocks.ts';
import type { RichTextPiece } from '../block-kit/rich-text.ts';
import { type NewFile, storeFile } from '../files.ts';
import { BOT, BOT_ID, OTHER_BOT } from '../people.ts';
import { rootTs, type SlackMessage, type ThreadName } from '../records.ts';
import { findMessage, messageKey, putMessage, type State } from '../state.ts';
import { messageOnWire } from '../wire.ts';
import { type ActStage, tellApp, visibleChannel } from './act.ts';
import { contextOf } from './open-beside.ts';

export interface SayOptions {
  readonly thread?: ThreadName;
  readonly files?: readonly NewFile[];
  /** “Also send to #channel”, of an answer in a thread. */
  readonly broadcast?: boolean;
  /** When it was written. Now, unless given. */
  readonly ts?: string;
}

/** A person writes. `@name` and `#channel` become mentions, as when typed into Slack. */
export function say(
  stage: ActStage,
  user: string,
  channelId: string,
  typed: string,
  options: SayOptions = {},
): SlackMessage {
  const channel = visibleChannel(stage, user, channelId);
  const { state } = stage;
  const threadTs = options.thread === undefined ? undefined : rootTs(options.thread);
  if (threadTs !== undefined && findMessage(state, channelId, threadTs) === undefined) {
    throw new Error(`There is no thread ${threadTs} in ${channelId}. Was its first message deleted?`);
  }
  if (channel.isArchived) throw new Error(`#${channel.name} is archived, so nothing can be written there.`);
  if (threadTs !== undefined && findMessage(state, channelId, threadTs)?.isLocked === true) {
    throw new Error('This thread is locked, so nothing can be written in it.');
  }
  const text = asTyped(state, typed);
  const message = putMessage(state, {
    channel: channelId,
    ts: options.ts ?? state.nextTs(),
    user,
    ...(user === OTHER_BOT ? { botId: 'B0ROB00001' } : user === BOT ? { botId: BOT_ID } : {}),
    text,
    blocks: [richText(text)],
    ...given({ threadTs }),
    reactions: [],
    files: (options.files ?? []).map((file) => storeFile(state, stage.address(), file)),
    earlier: [],
  });
  if (channel.members.includes(BOT)) tellOf(stage, message, options.broadcast === true);
  return message;
}

/** A mention in a channel arrives twice, as a message and as a mention, with different event ids. */
function tellOf(stage: ActStage, message: SlackMessage, broadcast: boolean): void {
  const channel = stage.state.channels.get(message.channel);
  const event = {
    ...messageOnWire(stage.state, message, { metadata: true }),
    channel: message.channel,
    event_ts: message.ts,
  };
  tellApp(stage, {
    ...event,
    channel_type: channel?.type,
    ...(channel?.type === 'im' ? { app_context: contextOf(stage.state, message.user) } : {}),
    ...(message.files.length === 0 ? {} : { subtype: 'file_share' }),
    ...(broadcast ? { subtype: 'thread_broadcast' } : {}),
  });
  if (channel?.type === 'channel' && message.text.includes(`<@${BOT}>`)) {
    tellApp(stage, { ...event, type: 'app_mention' });
  }
}

export function edit(stage: ActStage, user: string, message: SlackMessage, typed: string): SlackMessage {
  const old = ownMessage(stage.state, user, message);
  const text = asTyped(stage.state, typed);
  const editedTs = stage.state.nextTs();
  const changed = putMessage(stage.state, { ...old, text, blocks: [richText(text)], editedTs });
  tellApp(stage, {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel: old.channel,
    channel_type: stage.state.channels.get(old.channel)?.type,
    ts: editedTs,
    event_ts: editedTs,
    message: messageOnWire(stage.state, changed, { metadata: true }),
    previous_message: messageOnWire(stage.state, old, { metadata: true }),
  });
  return changed;
}

/** `untold` where the app does not hear of it, as without the scope to read a channel. */
export interface RemoveOptions {
  readonly untold?: boolean;
}

/** A person deletes a message. An administrator may delete the message of any author. */
export function remove(stage: ActStage, message: SlackMessage, { untold = false }: RemoveOptions = {}): void {
  const old = stage.state.messages.get(messageKey(message));
  if (old === undefined) return;
  stage.state.messages.delete(messageKey(message));
  stage.state.changed();
  if (untold) return;
  const ts = stage.state.nextTs();
  tellApp(stage, {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    channel: old.channel,
    channel_type: stage.state.channels.get(old.channel)?.type,
    ts,
    event_ts: ts,
    deleted_ts: old.ts,
    previous_message: messageOnWire(stage.state, old, { metadata: true }),
  });
}

/** Slack's own Stop button, which is there while the session is processing. */
export function stop(stage: ActStage, user: string, thread: ThreadName): void {
  const root = rootTs(thread);
  const streaming = [...stage.state.messages.values()].filter(
    (message) => message.channel === thread.channel && rootTs(message) === root && message.stream?.open === true,
  );
  tellApp(stage, {
    type: 'agent_session_stopped',
    channel: thread.channel,
    thread_ts: root,
    user,
    streaming_message_ts: streaming.map((message) => message.ts),
    event_ts: stage.state.nextTs(),
  });
}

function ownMessage(state: State, user: string, message: SlackMessage): SlackMessage {
  const old = state.messages.get(messageKey(message));
  if (old === undefined || old.user !== user)
    throw new Error(`${user} cannot edit this: it is gone or has another author.`);
  return old;
}

/** Mark-up characters are escaped and names become ids. A mention that is already written as an id is kept. */
export function asTyped(state: State, typed: string): string {
  const people = new Map([...state.people.values()].map((person) => [person.name, person.id]));
  const channels = new Map([...state.channels.values()].map((channel) => [channel.name, channel.id]));
  return typed
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/&lt;@(\w+)&gt;/g, (written, id: string) => (state.people.has(id) ? `<@${id}>` : written))
    .replaceAll(/(^|[\s(])@([\w-]+)/g, (written, before: string, name: string) => {
      const id = people.get(name.toLowerCase());
      return id === undefined ? written : `${before}<@${id}>`;
    })
    .replaceAll(/(^|[\s(])#([\w-]+)/g, (written, before: string, name: string) => {
      const id = channels.get(name.toLowerCase());
      return id === undefined ? written : `${before}<#${id}|${name}>`;
    });
}

/** A typed message also comes as blocks, with mentions as elements of their own. */
function richText(text: string): Block {
  const parts = text.split(/(<@\w+>|<#\w+\|[^>]*>)/).filter((part) => part !== '');
  const elements = parts.map((part): RichTextPiece => {
    const user = /^<@(\w+)>$/.exec(part)?.[1];
    if (user !== undefined) return { type: 'user', user_id: user };
    const channel = /^<#(\w+)\|/.exec(part)?.[1];
    if (channel !== undefined) return { type: 'channel', channel_id: channel };
    return { type: 'text', text: part.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') };
  });
  return { type: 'rich_text', block_id: 'typed', elements: [{ type: 'rich_text_section', elements }] };
}
