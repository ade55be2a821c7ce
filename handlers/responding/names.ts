import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { withLimit } from '../../app/time/index.ts';
import { mrkdwn, mrkdwnText } from '../views/index.ts';

/** A presser waits for the view, and Slack for the answer to a form. */
const NAMES_MS = 1_000;

/** Slack gives each kind of id its own first letter. */
const MENTION = /<(?:@|!subteam\^)([A-Z0-9_]+)>/;
const MENTIONS = new RegExp(MENTION, 'g');
const isGroup = (id: string): boolean => id.startsWith('S');

/**
 * The view with the names of people and user groups in place of mentions: a modal notifies no person, and shows some mentions as
 * they are written. Only mark-up of the bot has mentions. An input may have thousands, and each would cost a call to Slack.
 */
export async function withNames(client: WebClient, view: ModalView): Promise<ModalView> {
  const text = markupIn(view.blocks).join(' ');
  return MENTION.test(text) ? { ...view, blocks: named(view.blocks, await namesIn(client, text)) } : view;
}

/** What the people and user groups that are mentioned in a text are called, by their ids. Those that Slack does not name are not in it. */
export async function namesIn(client: WebClient, text: string): Promise<Names> {
  const ids = [...new Set([...text.matchAll(MENTIONS)].map(([, id = '']) => id))];
  const names = new Map<string, string>();
  const people = ids.filter((id) => !isGroup(id)).map((user) => namePerson(client, user, names));
  const groups = ids.some(isGroup) ? [nameGroups(client, names)] : [];
  await withLimit(Promise.all([...people, ...groups]), { ms: NAMES_MS, late: [] });
  return names;
}

export type Names = ReadonlyMap<string, string>;

async function namePerson(client: WebClient, user: string, names: Map<string, string>): Promise<void> {
  // Slack may not answer. The view then names no person.
  const { user: found } = await client.users.info({ user }).catch(() => ({ user: undefined }));
  const name = found?.profile?.display_name || found?.profile?.real_name || found?.real_name || found?.name;
  if (name) names.set(user, `@${name}`);
}

async function nameGroups(client: WebClient, names: Map<string, string>): Promise<void> {
  // Slack may not answer, and in an organisation it does not say whose groups are meant. The view then names no group.
  const { usergroups = [] } = await client.usergroups.list().catch(() => ({ usergroups: [] }));
  for (const { id, handle } of usergroups) if (id && handle) names.set(id, `@${handle}`);
}

/**
 * The channel by its name, as a person reads it. None where Slack does not tell it, as of a direct message, and none of a private
 * channel for a reader `outside`.
 */
export async function namesOfChannel(client: WebClient, channel: string, reader?: 'outside'): Promise<Names> {
  // Slack may not answer, or no longer know the channel.
  const asked = client.conversations.info({ channel }).catch(() => ({ channel: undefined }));
  const { channel: found } = await withLimit(asked, { ms: NAMES_MS, late: { channel: undefined } });
  const isHidden = found?.is_mpim === true || (reader === 'outside' && found?.is_private !== false);
  const name = isHidden ? undefined : found?.name;
  return new Map(name === undefined ? [] : [[channel, `#${name}`]]);
}

const UNNAMED = 'a person whose name Slack does not tell';
const UNNAMED_GROUP = 'a user group';

function markupIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return isMarkup(part) ? [part.text] : Object.values(part).flatMap(markupIn);
}

function isMarkup(part: object): part is { readonly text: string } {
  return 'type' in part && part.type === 'mrkdwn' && 'text' in part && typeof part.text === 'string';
}

/** Texts from elsewhere stay as they are. */
function named<Part>(part: Part, names: Names): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => named(one, names)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => [name, named(value, names)]);
  const copy = Object.fromEntries(members) as Part & object;
  if (!isMarkup(copy)) return copy;
  const text = copy.text.replace(
    MENTIONS,
    (_, id: string) => mrkdwn`${names.get(id) ?? (isGroup(id) ? UNNAMED_GROUP : UNNAMED)}`.mrkdwn,
  );
  return { ...copy, ...mrkdwnText({ mrkdwn: text }) };
}
