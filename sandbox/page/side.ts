import { BOT, directChannel, GENERAL, OPS, OTHER_TEAM } from '../people.ts';
import type { World } from '../world.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';
import { channelName, personName } from './kit/names.ts';
import { avatar } from './message.ts';
import { type ListedThread, listThreads } from './needed/threads.ts';
import { hrefOf, type ShownPage, VIEWERS } from './shown-page.ts';

/** The left side: the places to go to, and the people to act as. */
export function drawSide(world: World, look: ShownPage, homeTab: boolean, needed: ReadonlyMap<string, number>): Html {
  const direct = { ...look, channel: directChannel(look.as), home: false };
  const home = { as: look.as, channel: look.channel, home: true };
  return h(
    'aside',
    { className: look.places === true ? 'side places' : 'side', 'aria-label': 'Demo', 'data-key': 'side' },
    h('header', {}, h('strong', {}, 'Demo workspace'), span('quiet', 'on this computer'), drawPlacesLink(look)),
    h(
      'nav',
      { 'aria-label': 'Workspace' },
      h('h2', {}, 'Channels'),
      ...[OPS, GENERAL].map((id) => drawEntry(world, look, { as: look.as, channel: id, home: false })),
      // A person of another company has no direct conversation with the app.
      world.channels.has(direct.channel) ? h('h2', {}, 'Direct messages') : null,
      world.channels.has(direct.channel)
        ? drawEntry(world, look, { as: direct.as, channel: direct.channel, home: false })
        : null,
      homeTab ? h('h2', {}, 'Apps') : null,
      homeTab ? entry(look.home, home, avatar(world, BOT), 'Countersign Home', needed.get(look.as)) : null,
    ),
    h(
      'footer',
      { role: 'group', 'aria-label': 'You are' },
      span('quiet', 'You are'),
      div('viewers', ...VIEWERS.map((user) => drawViewer(world, look, user, needed.get(user)))),
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
  const threads = listThreads(world, to.channel, current);
  return h(
    'div',
    { key: to.channel },
    entry(current && look.thread === undefined, to, sign, label),
    ...threads.map((thread) => drawThreadEntry(look, { ...to, thread: thread.root.ts }, thread)),
  );
}

function drawThreadEntry(look: ShownPage, to: ShownPage, { root, title, waits, apart }: ListedThread): Html {
  return keyed(
    'a',
    `thread-${root.ts}`,
    {
      className: look.thread === root.ts ? 'entry thread-entry current' : 'entry thread-entry',
      href: hrefOf(to),
      'aria-current': look.thread === root.ts ? 'page' : undefined,
    },
    span('title', title),
    apart === undefined ? null : span('apart', apart),
    waits
      ? h('span', { className: 'waits', title: 'Waits for a person', role: 'img', 'aria-label': 'waits for a person' })
      : null,
  );
}

function entry(current: boolean, to: ShownPage, sign: Html, label: string, needed?: number): Html {
  const className = current ? 'entry current' : 'entry';
  return h(
    'a',
    { className, href: hrefOf(to), 'aria-current': current ? 'page' : undefined, ...badgeWords(needed) },
    sign,
    span('title', label),
    badge(needed),
  );
}

function drawViewer(world: World, look: ShownPage, user: string, needed: number | undefined): Html {
  const name = personName(world, user).split(' ')[0] ?? '';
  const kind = kindOf(world, user);
  const own = look.channel.startsWith('D') ? directChannel(user) : look.channel;
  const channel = world.channels.has(own) ? own : OPS;
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
      'aria-label': kind === undefined ? name : `${name}, ${kind}`,
      'aria-current': user === look.as ? 'true' : undefined,
      ...badgeWords(needed),
    },
    name,
    kind === undefined ? null : h('span', { className: 'kind', 'data-words': kind }),
    badge(needed),
  );
}

/** What sets a person apart from a full member of this workspace. */
function kindOf(world: World, user: string): string | undefined {
  const person = world.people.get(user);
  if (person?.isDeactivated === true) return 'left';
  if (person?.isGuest === true) return 'guest';
  return person?.teamId === OTHER_TEAM ? 'partner' : undefined;
}

/** How many cards wait for the person. The figure is drawn by the style, and said as a description. */
function badge(needed = 0): Html {
  return needed === 0 ? null : h('span', { className: 'needed', 'aria-hidden': true, 'data-words': needed });
}

function badgeWords(needed = 0) {
  if (needed === 0) return {};
  return { 'aria-description': needed === 1 ? '1 card waits for this person' : `${needed} cards wait for this person` };
}
