import { createElement, Fragment } from 'react';
import { rootTs, type SlackMessage } from '../records.ts';
import type { World } from '../world.ts';
import { drawBlocks } from './blocks.ts';
import { composer, statusLine } from './composer.ts';
import { drawJournal, type JournalPane } from './journal/draw.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';
import { channelName, day } from './kit/names.ts';
import { drawEphemeral, drawMessage, type Shortcut } from './message.ts';
import { drawModal } from './modal.ts';
import { countNeeded } from './needed/threads.ts';
import { drawNext, drawOffers, drawPlays } from './offers.ts';
import { hrefOf, type ShownPage } from './shown-page.ts';
import { drawSide } from './side.ts';

/** What the app has, as its manifest says. */
export interface Features {
  readonly shortcuts: readonly Shortcut[];
  readonly homeTab: boolean;
  /** The people whose answer a message of the app still needs. */
  readonly neededIn?: (message: SlackMessage) => readonly string[];
  /** The guide says what to do next, so a thread says nothing of it. */
  readonly isGuided?: boolean;
  /** The app has not the tools of the plays, so none is offered. */
  readonly hasOwnTools?: boolean;
}

export function drawApp(
  world: World,
  look: ShownPage,
  { shortcuts, homeTab, neededIn, isGuided = false, hasOwnTools = false }: Features,
  pane?: JournalPane,
): Html {
  const open = world.views(look.as).at(-1);
  const thread = look.thread === undefined ? undefined : world.message({ channel: look.channel, ts: look.thread });
  return createElement(
    Fragment,
    {},
    h(
      'div',
      { className: look.home || thread === undefined ? 'app' : 'app with-thread', 'data-key': 'app' },
      drawSide(world, look, homeTab, countNeeded(world, neededIn)),
      h(
        'main',
        { 'data-key': 'main' },
        h('h1', { className: 'unseen' }, look.home ? 'Countersign Home' : channelName(world, look.channel)),
        look.home ? drawHome(world, look) : drawChannel(world, look, { shortcuts, hasOwnTools }),
        look.home || thread === undefined ? null : drawThread(world, look, thread, { shortcuts, isGuided }),
        look.home || thread === undefined || pane === undefined ? null : drawJournal(world, thread, pane),
      ),
    ),
    open === undefined ? null : drawModal(world, open),
  );
}

function drawChannel(
  world: World,
  look: ShownPage,
  { shortcuts, hasOwnTools }: Pick<Features, 'shortcuts' | 'hasOwnTools'>,
): Html {
  const roots = world.channel(look.channel).filter(({ threadTs }) => threadTs === undefined);
  const seen = world
    .ephemerals(look.as)
    .filter(({ channel, threadTs }) => channel === look.channel && threadTs === undefined);
  const name = channelName(world, look.channel);
  const direct = look.channel.startsWith('D');
  const { members: { length: members } = [], isArchived = false } = world.channels.get(look.channel) ?? {};
  const isEmpty = roots.length === 0 && seen.length === 0;
  const offers = hasOwnTools !== true && !direct && !isArchived;
  return h(
    'section',
    { className: 'channel', 'aria-label': name, 'data-key': 'channel' },
    h(
      'header',
      {},
      h('h2', {}, name),
      span('quiet', direct ? 'Direct message' : isArchived ? 'archived' : `${members} members`),
      direct ? null : archiveButton(look.channel, isArchived),
    ),
    h(
      'div',
      logOf(`Messages in ${name}`, look.channel),
      isEmpty ? welcome(isArchived ? ARCHIVED : direct ? DIRECT : offers ? EMPTY : OWN_TOOLS) : null,
      isEmpty && offers ? drawOffers() : null,
      ...inOrder(roots, seen).map((item, index, all) =>
        'to' in item
          ? drawEphemeral(world, item, `message ${index + 1}`)
          : [
              dayLine(all[index - 1]?.ts, item.ts),
              drawMessage(world, item, {
                ...{ shortcuts, as: look.as, of: `message ${index + 1}` },
                follows: follows(all[index - 1], item),
                thread: {
                  href: hrefOf({ ...look, thread: item.ts }),
                  replies: world.messages(item).filter(({ ts }) => ts !== item.ts),
                },
              }),
            ],
      ),
    ),
    !isEmpty && offers ? drawPlays() : null,
    composer(
      `Message ${name}`,
      `channel-${look.channel}`,
      direct ? 'Message Countersign' : '@countersign …',
      look.thread === undefined,
    ),
  );
}

function archiveButton(channel: string, isArchived: boolean): Html {
  const act = { type: isArchived ? 'unarchive' : 'archive', channel };
  const look = { type: 'button', className: 'button small archive', 'data-act': JSON.stringify(act) };
  return h('button', look, isArchived ? 'Bring back' : 'Archive');
}

function drawThread(
  world: World,
  look: ShownPage,
  root: SlackMessage,
  { shortcuts, isGuided }: Pick<Features, 'shortcuts' | 'isGuided'>,
): Html {
  const messages = world.messages(root);
  const seen = world
    .ephemerals(look.as)
    .filter(({ channel, threadTs }) => channel === root.channel && threadTs === rootTs(root));
  const { thread: _, ...channel } = look;
  return h(
    'section',
    { className: 'thread', 'aria-label': 'Thread', 'data-key': 'thread' },
    h(
      'header',
      {},
      h('h2', {}, 'Thread'),
      span('quiet', world.session(root).title ?? channelName(world, root.channel)),
      root.isLocked === true ? span('locked', 'Locked: nothing can be added.') : null,
      h('a', { className: 'tool close', href: hrefOf(channel), 'aria-label': 'Close thread' }, icon('close')),
    ),
    h(
      'div',
      logOf('Messages in this thread', root.ts),
      ...inOrder(messages, seen).map((item, index, all) =>
        'to' in item
          ? drawEphemeral(world, item, `message ${index + 1} of the thread`)
          : [
              drawMessage(world, item, {
                ...{ shortcuts, as: look.as, of: `message ${index + 1} of the thread` },
                follows: index > 1 && follows(all[index - 1], item),
              }),
              index === 0 && messages.length > 1 ? repliesLine(messages.length - 1) : null,
            ],
      ),
    ),
    statusLine(world.session(root)),
    isGuided === true ? null : drawNext(messages, world.session(root)),
    composer('Reply in thread', `thread-${root.ts}`, 'Reply…', true),
  );
}

function drawHome(world: World, look: ShownPage): Html {
  const view = world.home(look.as);
  return h(
    'section',
    { className: 'channel home', 'aria-label': 'Home', 'data-key': 'home' },
    h('header', {}, h('h2', {}, 'Countersign'), span('quiet', 'Home')),
    h(
      'div',
      { className: 'timeline', tabIndex: 0, 'data-scroll': 'home' },
      view === undefined
        ? welcome('The app has not published its Home tab yet.')
        : h(
            'div',
            { className: 'home-view' },
            drawBlocks(world, view.content.blocks, { target: `view:${view.id}`, values: view.values }),
          ),
    ),
  );
}

const EMPTY = 'Nothing here yet. Press one of these requests, or write your own to @countersign.';
const OWN_TOOLS = 'Nothing here yet. Call one of your tools: @countersign call my_tool {"name":"value"}';
const DIRECT = 'Nothing here yet. Write to Countersign: in a direct message it needs no mention.';
const ARCHIVED = 'Nothing here yet. The channel is archived: bring it back to write in it.';
const welcome = (words: string): Html => div('welcome', words);

/** A list that a screen reader follows. The keyboard scrolls it. */
function logOf(label: string, key: string) {
  const read = { role: 'log', 'aria-relevant': 'additions', 'aria-label': label };
  return { className: 'timeline', tabIndex: 0, ...read, 'data-scroll': key };
}

type Shown = SlackMessage | ReturnType<World['ephemerals']>[number];

function inOrder(messages: readonly SlackMessage[], seen: ReturnType<World['ephemerals']>): readonly Shown[] {
  return [...messages, ...seen].toSorted((one, other) => Number(one.ts) - Number(other.ts));
}

const SAME_GROUP_S = 300;

function follows(before: Shown | undefined, message: SlackMessage): boolean {
  if (before === undefined || 'to' in before || before.user !== message.user) return false;
  // A message with buttons stands by itself.
  if (message.blocks.some(({ type }) => type === 'actions')) return false;
  return Number(message.ts) - Number(before.ts) < SAME_GROUP_S;
}

function dayLine(before: string | undefined, ts: string): Html {
  if (before !== undefined && day(before) === day(ts)) return null;
  return keyed('div', `day-${day(ts)}`, { className: 'day' }, span('', day(ts)));
}

function repliesLine(count: number): Html {
  return keyed('div', 'replies', { className: 'line' }, span('', count === 1 ? '1 reply' : `${count} replies`));
}
