import type { TextObject } from '../../block-kit/text.ts';
import type { World } from '../../world.ts';
import { type Html, h, span } from './element.ts';
import { sign } from './icons.ts';
import { channelName, mentionName } from './names.ts';

/**
 * Slack's own mark-up. On a card, people have to tell plain text from mentions and links, so these look as different here
 * as they do in Slack.
 */
export function drawTextObject(world: World, text: TextObject): Html {
  return text.type === 'plain_text' ? drawPlain(text.text, text.emoji === true) : drawMrkdwn(world, text.text);
}

/** Plain text has no mark-up. Emoji are drawn where they are asked for. */
function drawPlain(text: string, emoji = false): Html {
  if (!emoji) return span('text', text);
  return span('text', ...text.split(/(:[a-z0-9_+-]+:)/).map((part) => drawEmoji(part.replaceAll(':', '')) ?? part));
}

export function drawMrkdwn(world: World, text: string): Html {
  const parts = text.split(/```([\s\S]+?)```\n?/);
  return h(
    'div',
    { className: 'text' },
    ...parts.flatMap((part, index) => (index % 2 === 1 ? [fence(part)] : lines(part))),
  );

  function lines(part: string): readonly Html[] {
    const groups = part.split(/((?:^|\n)(?:>|&gt;)[^\n]*(?:\n(?:>|&gt;)[^\n]*)*)\n?/);
    return groups.flatMap((group, index) => {
      if (index % 2 === 0) return inline(group);
      const quoted = group.replaceAll(/(^|\n)(?:>|&gt;) ?/g, (_, before: string) => (before === '' ? '' : '\n')).trim();
      return [h('blockquote', {}, ...inline(quoted))];
    });
  }

  function inline(part: string): readonly Html[] {
    const drawn: Html[] = [];
    let end = 0;
    for (const match of part.matchAll(MARKS)) {
      drawn.push(unescaped(part.slice(end, match.index)));
      drawn.push(mark(match));
      end = match.index + match[0].length;
    }
    return [...drawn, unescaped(part.slice(end))];
  }

  function mark([whole, code, angle, bold, italic, strike, emoji]: RegExpExecArray): Html {
    if (code !== undefined) return h('code', {}, unescaped(code));
    if (angle !== undefined) return drawAngle(world, angle);
    if (bold !== undefined) return h('strong', {}, ...inline(bold));
    if (italic !== undefined) return h('em', {}, ...inline(italic));
    if (strike !== undefined) return h('s', {}, ...inline(strike));
    return drawEmoji(emoji ?? '') ?? whole;
  }
}

/** In this order: code, angle brackets, bold, italic, struck through, emoji. */
const MARKS = new RegExp(
  [
    '`([^`\\n]+)`',
    '<([^<>\\n]+)>',
    '(?<![\\w*])\\*(?!\\s)([^\\n]+?)(?<!\\s)\\*(?![\\w*])',
    '(?<![\\w_])_(?!\\s)([^\\n]+?)(?<!\\s)_(?![\\w_])',
    '(?<![\\w~])~(?!\\s)([^\\n]+?)(?<!\\s)~(?![\\w~])',
    ':([a-z0-9_+-]+):',
  ].join('|'),
  'g',
);

/** Mark-up in angle brackets: it names a person, calls everyone, or is a link or a date. */
function drawAngle(world: World, inner: string): Html {
  const [subject = '', label] = splitOnce(inner, '|');
  if (subject.startsWith('@')) return span('mention', mentionName(world, subject.slice(1)));
  if (subject.startsWith('#')) return span('mention', channelName(world, subject.slice(1)));
  if (subject.startsWith('!subteam^')) {
    const id = subject.slice('!subteam^'.length);
    return span('mention', `@${world.groups.get(id)?.handle ?? id}`);
  }
  if (subject.startsWith('!date^')) return drawDate(subject, label ?? '');
  if (subject.startsWith('!')) return span('mention loud', `@${label ?? subject.slice(1)}`);
  return drawLink(unescaped(subject), unescaped(label ?? subject));
}

export function drawLink(href: string, words: Html): Html {
  if (!/^(https?:|mailto:)/.test(href)) return span('link', words);
  return h('a', { className: 'link', href, target: '_blank', rel: 'noopener noreferrer' }, words);
}

export function drawEmoji(name: string): Html | undefined {
  return sign(name) ?? EMOJI[name];
}

const EMOJI: { readonly [name: string]: string } = {
  clipboard: '📋',
  eyes: '👀',
  key: '🔑',
  no_good: '🙅',
  pencil2: '✏️',
  repeat: '🔁',
  rocket: '🚀',
  speech_balloon: '💬',
  stopwatch: '⏱️',
  tada: '🎉',
  thumbsup: '👍',
  wave: '👋',
};

/** `!date^unix^format`, in the zone of this computer. */
function drawDate(subject: string, fallback: string): Html {
  const [, unix = '', format = ''] = subject.split('^');
  const date = new Date(Number(unix) * 1000);
  if (Number.isNaN(date.getTime())) return fallback;
  const words = format.replaceAll(/\{(\w+)\}/g, (_, name: string) => datePart(date, name));
  return h('time', { dateTime: date.toISOString(), title: date.toString() }, words);
}

function datePart(date: Date, name: string): string {
  const pretty = name.endsWith('_pretty') ? prettyDay(date) : undefined;
  const show = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options).format(date);
  if (pretty !== undefined) return pretty;
  if (name === 'time') return show({ hour: 'numeric', minute: '2-digit' });
  if (name === 'time_secs') return show({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
  if (name === 'date_num') return date.toISOString().slice(0, 10);
  if (name.startsWith('date_short')) return show({ month: 'short', day: 'numeric', year: 'numeric' });
  if (name.startsWith('date_long')) return show({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
  return show({ month: 'long', day: 'numeric', year: 'numeric' });
}

const DAY_MS = 86_400_000;

function prettyDay(date: Date): string | undefined {
  const midnight = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(date) - midnight(new Date())) / DAY_MS);
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : days === -1 ? 'yesterday' : undefined;
}

function fence(code: string): Html {
  return h('pre', {}, unescaped(code.replace(/^\n|\n$/g, '')));
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
