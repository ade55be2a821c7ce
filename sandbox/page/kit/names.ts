import type { SlackMessage } from '../../records.ts';
import type { World } from '../../world.ts';

/** What people are called on the page. */

export function personName(world: World, id: string): string {
  const person = world.people.get(id);
  return person === undefined ? id : person.realName;
}

export function mentionName(world: World, id: string): string {
  return `@${world.people.get(id)?.realName ?? id}`;
}

export function channelName(world: World, id: string): string {
  const channel = world.channels.get(id);
  if (channel === undefined) return id;
  return channel.type === 'im' ? 'Countersign' : `#${channel.name}`;
}

/** A message in one line, without its mark-up. */
export function oneLine(world: World, message: Pick<SlackMessage, 'text'>): string {
  return message.text
    .replaceAll(/<@(\w+)(\|[^>]*)?>/g, (_, id: string) => mentionName(world, id))
    .replaceAll(/<#\w+\|([^>]*)>/g, '#$1')
    .replaceAll(/<[^|>]+\|([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** As dates in messages are shown, which are drawn in `mrkdwn.ts`. */
const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

export function clockTime(ts: string): string {
  return TIME.format(Number(ts) * 1000);
}

export function day(ts: string): string {
  return DAY.format(Number(ts) * 1000);
}
