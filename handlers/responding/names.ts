import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { withLimit } from '../../app/time/index.ts';
import { type Mrkdwn, mrkdwn, mrkdwnText } from '../views/index.ts';

/** A presser waits for the view, and Slack for the answer to a form. */
const NAMES_MS = 1_000;

const MENTION = /<@([A-Z0-9_]+)>/g;

/** The view with the names of people in place of mentions: a modal calls nobody, and shows some mentions as they are written. */
export async function withNames(client: WebClient, view: ModalView): Promise<ModalView> {
  const people = new Set([...JSON.stringify(view.blocks).matchAll(MENTION)].map(([, user = '']) => user));
  if (people.size === 0) return view;
  const names = new Map<string, Mrkdwn>();
  const asking = [...people].map(async (user) => names.set(user, await nameOf(client, user)));
  await withLimit(Promise.all(asking), { ms: NAMES_MS, late: [] });
  return { ...view, blocks: named(view.blocks, names) };
}

async function nameOf(client: WebClient, user: string): Promise<Mrkdwn> {
  // Slack may not answer. The view then names no person.
  const { user: found } = await client.users.info({ user }).catch(() => ({ user: undefined }));
  const name = found?.profile?.display_name || found?.profile?.real_name || found?.real_name || found?.name;
  return name === undefined || name === '' ? UNNAMED : mrkdwn`@${name}`;
}

const UNNAMED = mrkdwn`a person whose name Slack does not tell`;

/** Only mark-up of the bot has mentions. Texts from elsewhere stay as they are. */
function named<Part>(part: Part, names: ReadonlyMap<string, Mrkdwn>): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => named(one, names)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => [name, named(value, names)]);
  const copy = Object.fromEntries(members) as Part & { readonly type?: unknown; readonly text?: unknown };
  if (copy.type !== 'mrkdwn' || typeof copy.text !== 'string') return copy;
  const text = copy.text.replace(MENTION, (_, user: string) => (names.get(user) ?? UNNAMED).mrkdwn);
  return { ...copy, ...mrkdwnText({ mrkdwn: text }) };
}
