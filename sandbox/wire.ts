import { given } from '../app/given.ts';
import { filledIn } from './acts/values.ts';
import { fileOnWire, stubOnWire } from './files.ts';
import { type ApiObject, asJson } from './json.ts';
import { isHere } from './organisation.ts';
import { APP, BOT, BOT_ID, type Channel, OPS, type PlayedPerson, type UserGroup } from './people.ts';
import type { SlackMessage, View } from './records.ts';
import { messagesOf, type State } from './state.ts';

/** Our records in the shapes that Slack sends. */

export function messageOnWire(state: State, message: SlackMessage, options: { readonly metadata: boolean }): ApiObject {
  const answers = message.threadTs === undefined ? messagesOf(state, message).slice(1) : [];
  const latest = answers.at(-1);
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: state.team,
    ...(message.botId === undefined
      ? { client_msg_id: `${message.ts}-client` }
      : { bot_id: message.botId, ...(message.botId === BOT_ID ? { app_id: APP } : {}) }),
    ...(message.blocks.length === 0 ? {} : { blocks: asJson(message.blocks) }),
    ...(message.threadTs === undefined
      ? {}
      : { thread_ts: message.threadTs, parent_user_id: rootAuthor(state, message) }),
    ...(latest === undefined
      ? {}
      : {
          thread_ts: message.ts,
          reply_count: answers.length,
          latest_reply: latest.ts,
          is_locked: message.isLocked === true,
        }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.user, ts: message.editedTs } }),
    ...(message.files.length === 0
      ? {}
      : { files: message.files.map((file) => (file.stub ? stubOnWire(file) : fileOnWire(file))) }),
    ...(message.reactions.length === 0
      ? {}
      : { reactions: message.reactions.map(({ name, users }) => ({ name, users, count: users.length })) }),
    ...(message.metadata !== undefined && options.metadata ? { metadata: message.metadata } : {}),
  };
}

function rootAuthor(state: State, message: SlackMessage): string | undefined {
  return state.messages.get(`${message.channel}:${message.threadTs}`)?.user;
}

export function viewOnWire(view: View, team: string): ApiObject {
  const { content } = view;
  return {
    id: view.id,
    team_id: team,
    app_id: APP,
    app_installed_team_id: team,
    bot_id: BOT_ID,
    type: content.type,
    title: asJson(content.title ?? { type: 'plain_text', text: 'View Title', emoji: true }),
    submit: asJson(content.submit ?? null),
    close: asJson(content.close ?? null),
    blocks: asJson(content.blocks),
    private_metadata: content.private_metadata ?? '',
    callback_id: content.callback_id ?? '',
    external_id: content.external_id ?? '',
    clear_on_close: content.clear_on_close ?? false,
    notify_on_close: content.notify_on_close ?? false,
    state: { values: filledIn(view) },
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId ?? null,
  };
}

export function personOnWire(state: State, person: PlayedPerson): ApiObject {
  const { organisation } = state;
  const { teamId } = person;
  const isOurs = teamId !== undefined && isHere(state, teamId);
  return {
    id: person.id,
    ...given({ team_id: teamId }),
    name: person.name,
    real_name: person.realName,
    deleted: person.isDeactivated,
    tz: person.timeZone,
    tz_label: 'Central European Time',
    tz_offset: 3600,
    profile: { title: person.title, real_name: person.realName, display_name: person.name, ...given({ team: teamId }) },
    is_bot: person.isBot,
    is_app_user: false,
    is_admin: person.isAdmin === true,
    is_owner: false,
    is_restricted: person.isGuest,
    is_ultra_restricted: false,
    is_stranger: teamId !== undefined && !isOurs,
    ...(organisation === undefined || !isOurs
      ? {}
      : { enterprise_user: { id: person.id, enterprise_id: organisation.id } }),
    updated: 1_700_000_000,
  };
}

export function channelOnWire(channel: Channel, team: string): ApiObject {
  const direct = channel.type === 'im';
  return {
    id: channel.id,
    is_channel: !direct,
    is_im: direct,
    is_group: false,
    is_mpim: false,
    is_private: direct,
    is_archived: channel.isArchived,
    is_general: false,
    is_shared: false,
    is_ext_shared: false,
    context_team_id: team,
    created: 1_700_000_000,
    ...(direct
      ? { user: channel.members.find((member) => member !== BOT) }
      : { name: channel.name, name_normalized: channel.name, is_member: channel.members.includes(BOT) }),
  };
}

export function groupOnWire(group: UserGroup, team: string): ApiObject {
  return {
    id: group.id,
    team_id: team,
    handle: group.handle,
    name: group.name,
    is_usergroup: true,
    date_delete: 0,
    user_count: group.members.length,
    users: group.members,
    prefs: { channels: [OPS], groups: [] },
  };
}
