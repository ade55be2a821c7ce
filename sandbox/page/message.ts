import { renderToStaticMarkup } from 'react-dom/server';
import { BOT } from '../people.ts';
import type { Ephemeral, SlackMessage } from '../records.ts';
import type { World } from '../world.ts';
import { drawBlocks, drawText } from './blocks.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';
import { icon, seal } from './kit/icons.ts';
import { drawEmoji } from './kit/mrkdwn.ts';
import { clockTime, day, oneLine, personName } from './kit/names.ts';

/** The app's shortcuts, which stand in the menu of every message. */
export interface Shortcut {
  readonly name: string;
  readonly callbackId: string;
}

export interface MessageOptions {
  /** What its controls say of where they stand, as in `message 3`. */
  readonly of: string;
  readonly shortcuts: readonly Shortcut[];
  /** Who looks at it. */
  readonly as: string;
  /** The link to its thread, and the replies there. Absent inside a thread. */
  readonly thread?: { readonly href: string; readonly replies: readonly SlackMessage[] };
  /** The message before is by the same person, so the name is left out. */
  readonly follows: boolean;
}

export function drawMessage(world: World, message: SlackMessage, options: MessageOptions): Html {
  const writing = message.stream?.open === true;
  return keyed(
    'article',
    `message-${message.ts}`,
    {
      className: options.follows ? 'message follows' : 'message',
      id: message.ts,
      'aria-label': `${personName(world, message.user)}, ${clockTime(message.ts)}, ${options.of}`,
      // A person goes on from here when the button that they pressed is gone.
      tabIndex: -1,
      'data-said': message.botId === undefined ? undefined : oneLine(world, message),
    },
    options.follows ? div('gutter', h('time', {}, clockTime(message.ts))) : avatar(world, message.user),
    div(
      'body',
      options.follows ? null : byline(world, message.user, message.ts),
      h('div', {
        className: writing ? 'content writing' : 'content',
        dangerouslySetInnerHTML: { __html: drawnOnce(message, options.of, () => content(world, message, options.of)) },
      }),
      message.editedTs === undefined ? null : span('edited', '(edited)'),
      ...message.files.map((file) => drawFile(file)),
      reactions(world, message),
      replies(world, options),
    ),
    toolbar(message, options),
  );
}

/** Drawing blocks is most of the work of a page. A message is never changed, only replaced, so each is drawn once a day. */
const drawn = new WeakMap<SlackMessage, Map<string, string>>();

function drawnOnce(message: SlackMessage, of: string, draw: () => Html): string {
  // Its dates say “today”.
  const name = `${of} on ${day(`${Date.now() / 1000}`)}`;
  const before = drawn.get(message) ?? new Map<string, string>();
  drawn.set(message, before);
  const html = before.get(name) ?? renderToStaticMarkup(draw());
  before.set(name, html);
  return html;
}

function content(world: World, message: SlackMessage, of: string): Html {
  if (message.blocks.length === 0) return message.text === '' ? null : drawText(world, message.text);
  return drawBlocks(world, message.blocks, { target: `message:${message.channel}:${message.ts}`, of });
}

/** A message that only one person sees. */
export function drawEphemeral(world: World, ephemeral: Ephemeral, of: string): Html {
  const place = { target: `ephemeral:${ephemeral.id}`, of };
  return keyed(
    'article',
    `ephemeral-${ephemeral.id}`,
    {
      ...{ className: 'message private', tabIndex: -1 },
      'aria-label': `Only visible to you, from ${personName(world, ephemeral.from)}, ${of}`,
    },
    avatar(world, ephemeral.from),
    div(
      'body',
      span('only', icon('eye'), 'Only visible to you'),
      byline(world, ephemeral.from, ephemeral.ts),
      div(
        'content',
        ephemeral.blocks.length === 0 ? drawText(world, ephemeral.text) : drawBlocks(world, ephemeral.blocks, place),
      ),
      h(
        'button',
        { type: 'button', className: 'dismiss', 'data-dismiss': ephemeral.id, 'aria-label': `Dismiss message, ${of}` },
        'Dismiss message',
      ),
    ),
  );
}

export function avatar(world: World, user: string): Html {
  const name = personName(world, user);
  if (user === BOT) return h('div', { className: 'avatar bot', 'aria-hidden': true }, seal());
  const initials = name
    .split(' ')
    .map((word) => word[0])
    .join('')
    .slice(0, 2);
  // Drawn by the style, because letters in the page would be a part of the name of a link.
  return h('div', { className: `avatar hue-${hue(user)}`, 'aria-hidden': true, 'data-initials': initials });
}

function byline(world: World, user: string, ts: string): Html {
  return div(
    'byline',
    h('strong', {}, personName(world, user)),
    world.people.get(user)?.isBot === true ? span('badge', 'APP') : null,
    h('time', {}, clockTime(ts)),
  );
}

function drawFile(file: SlackMessage['files'][number]): Html {
  return h(
    'details',
    { className: 'file', key: file.id, 'data-keep': 'open' },
    h('summary', {}, icon('file'), file.title),
    file.mediaType.startsWith('image/')
      ? h('img', {
          alt: file.title,
          src: `data:${file.mediaType};base64,${Buffer.from(file.bytes).toString('base64')}`,
        })
      : h('pre', {}, file.content.slice(0, SHOWN_OF_FILE)),
  );
}

const SHOWN_OF_FILE = 20_000;

function reactions(world: World, message: SlackMessage): Html {
  if (message.reactions.length === 0) return null;
  return div('reactions', ...message.reactions.map(({ name, users }) => drawReaction(world, name, users)));
}

function drawReaction(world: World, name: string, users: readonly string[]): Html {
  const who = users.map((user) => personName(world, user)).join(', ');
  const words = name.replaceAll('_', ' ');
  return h(
    'span',
    { key: name, className: 'reaction', title: `${who}: ${words}` },
    h('span', { role: 'img', 'aria-label': words }, drawEmoji(name) ?? words),
    ` ${users.length}`,
  );
}

function replies(world: World, { thread, of }: MessageOptions): Html {
  const last = thread?.replies.at(-1);
  if (thread === undefined || last === undefined) return null;
  const count = thread.replies.length;
  const faces = [...new Set(thread.replies.map(({ user }) => user))].slice(0, 4);
  return h(
    'a',
    { className: 'replies', href: thread.href },
    ...faces.map((user) => h('span', { key: user, className: 'face' }, avatar(world, user))),
    h('strong', {}, count === 1 ? '1 reply' : `${count} replies`),
    span('when', clockTime(last.ts)),
    span('unseen', `, ${of}`),
  );
}

/** What Slack itself lets a person do with a message. Each person of the demo is also an administrator. */
function ownMenu({ user, threadTs, isLocked = false }: SlackMessage, as: string) {
  const lock = isLocked ? ['Unlock the thread', 'slack:unlock'] : ['Lock the thread', 'slack:lock'];
  const written =
    user === as
      ? [
          ['Edit…', 'slack:edit'],
          ['Delete', 'slack:remove'],
        ]
      : [['Delete as administrator', 'slack:remove']];
  return [...written, ...(threadTs === undefined ? [lock] : [])].map(([text, value]) => ({ text, value }));
}

function toolbar(message: SlackMessage, { thread, shortcuts, of, as }: MessageOptions): Html {
  const target = `message:${message.channel}:${message.ts}`;
  const menu = [
    ...shortcuts.map(({ name, callbackId }) => ({ text: name, value: callbackId })),
    ...ownMenu(message, as),
  ];
  return div(
    'toolbar',
    thread === undefined
      ? null
      : h('a', { href: thread.href, className: 'tool', 'aria-label': `Reply in thread, ${of}` }, icon('reply')),
    h(
      'button',
      {
        ...{ type: 'button', className: 'tool', 'aria-label': `Message shortcuts, ${of}`, 'aria-haspopup': 'menu' },
        'data-shortcut': target,
        'data-menu': JSON.stringify(menu),
      },
      icon('more'),
    ),
  );
}

function hue(user: string): number {
  return [...user].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 6;
}
