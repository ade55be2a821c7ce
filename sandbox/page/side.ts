import { BOT, directChannel, GENERAL, OPS } from '../people.ts';
import type { SlackMessage } from '../records.ts';
import type { World } from '../world.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';
import { channelName, oneLine, personName } from './kit/names.ts';
import { avatar } from './message.ts';
import { hrefOf, type ShownPage, VIEWERS } from './shown-page.ts';

/** The left side: the places to go to, and the people to act as. */
export function drawSide(world: World, look: ShownPage, homeTab: boolean): Html {
  const direct = { ...look, channel: directChannel(look.as), home: false };
  return h(
    'aside',
    { className: look.places === true ? 'side places' : 'side', 'aria-label': 'Demo', 'data-key': 'side' },
    h('header', {}, h('strong', {}, 'Demo workspace'), span('quiet', 'on this computer'), drawPlacesLink(look)),
    h(
      'nav',
      { 'aria-label': 'Workspace' },
      h('h2', {}, 'Channels'),
      ...[OPS, GENERAL].map((id) => drawEntry(world, look, { as: look.as, channel: id, home: false })),
      h('h2', {}, 'Direct messages'),
      drawEntry(world, look, { as: direct.as, channel: direct.channel, home: false }),
      homeTab ? h('h2', {}, 'Apps') : null,
      homeTab
        ? entry(look.home, { as: look.as, channel: look.channel, home: true }, avatar(world, BOT), 'Countersign Home')
        : null,
    ),
    h(
      'footer',
      { role: 'group', 'aria-label': 'You are' },
      span('quiet', 'You are'),
      div('viewers', ...VIEWERS.map((user) => drawViewer(world, look, user))),
    ),
  );
}

/** Only on a small screen, where there is no room for the places beside the messages. */
function drawPlacesLink(look: ShownPage): Html {
  const { places = false, ...rest } = look;
  const href = hrefOf({ ...rest, places: !places });
  return h('a', { className: 'to-places', href, 'aria-expanded': places }, 'Places');
}

function drawEntry(world: World, look: ShownPage, to: ShownPage): Html {
  const current = !look.home && look.channel === to.channel;
  const direct = to.channel.startsWith('D');
  const sign = direct ? avatar(world, BOT) : h('span', { className: 'hash', 'aria-hidden': true }, '#');
  const label = direct ? 'Countersign' : channelName(world, to.channel).slice(1);
  const threads = current ? threadsOf(world, to.channel).slice(-THREADS_LISTED).toReversed() : [];
  return h(
    'div',
    { key: to.channel },
    entry(current && look.thread === undefined, to, sign, label),
    ...threads.map((root) => drawThreadEntry(world, look, { ...to, thread: root.ts }, root)),
  );
}

const THREADS_LISTED = 8;

function drawThreadEntry(world: World, look: ShownPage, to: ShownPage, root: SlackMessage): Html {
  const waits = world.session(root).status === 'suspended';
  return keyed(
    'a',
    `thread-${root.ts}`,
    {
      className: look.thread === root.ts ? 'entry thread-entry current' : 'entry thread-entry',
      href: hrefOf(to),
      'aria-current': look.thread === root.ts ? 'page' : undefined,
    },
    span('title', world.session(root).title ?? oneLine(world, root)),
    waits
      ? h('span', { className: 'waits', title: 'Waits for a person', role: 'img', 'aria-label': 'waits for a person' })
      : null,
  );
}

function entry(current: boolean, to: ShownPage, sign: Html, label: string): Html {
  const className = current ? 'entry current' : 'entry';
  return h(
    'a',
    { className, href: hrefOf(to), 'aria-current': current ? 'page' : undefined },
    sign,
    span('title', label),
  );
}

function drawViewer(world: World, look: ShownPage, user: string): Html {
  const name = personName(world, user).split(' ')[0] ?? '';
  const channel = look.channel.startsWith('D') ? directChannel(user) : look.channel;
  const { thread, places: _, ...rest } = look;
  const to = { ...rest, as: user, channel, ...(thread === undefined || channel !== look.channel ? {} : { thread }) };
  return h(
    'a',
    {
      ...{
        key: user,
        href: hrefOf(to),
        className: user === look.as ? 'viewer current' : 'viewer',
        'data-viewer': user,
      },
      ...{ 'aria-label': name, 'aria-current': user === look.as ? 'true' : undefined },
    },
    avatar(world, user),
    name,
  );
}

/** Threads with the agent. A word that the bot answers by itself begins none: such a thread has no title. */
function threadsOf(world: World, channel: string): readonly SlackMessage[] {
  const answered = new Set(world.channel(channel).flatMap(({ threadTs }) => threadTs ?? []));
  const isWithAgent = (root: SlackMessage) => {
    const { status, title } = world.session(root);
    return status !== undefined || title !== undefined;
  };
  return world.channel(channel).filter((root) => answered.has(root.ts) && isWithAgent(root));
}
