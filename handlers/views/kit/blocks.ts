import type {
  ActionsBlock,
  Button,
  ContextBlock,
  DividerBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  RichTextText,
  SectionBlock,
} from '@slack/types';
import { given } from '../../../app/given.ts';
import type { ButtonId } from './buttons.ts';
import { SLACK } from './limits.ts';
import { cut, cutWithNote, inert, moreChars, visible, visibleProse } from './text.ts';

/**
 * Small builders that apply Slack's limits. Text from elsewhere goes into `plain` or `preformatted`, where Slack interprets
 * nothing. `mrkdwn` takes it only through `inert`.
 */

/** Mark-up of the bot, which is safe. Only the tag below makes it. */
export interface Mrkdwn {
  readonly mrkdwn: string;
}

/** Mark-up in the template is the bot's. A string put into it is text from elsewhere and becomes inert. */
export function mrkdwn(parts: TemplateStringsArray, ...values: readonly (string | number | Mrkdwn)[]): Mrkdwn {
  const shown = values.map((value) => (typeof value === 'object' ? value.mrkdwn : inert(String(value))));
  return { mrkdwn: parts.map((part, index) => `${part}${shown[index] ?? ''}`).join('') };
}

export function join(parts: readonly Mrkdwn[], between: string): Mrkdwn {
  return { mrkdwn: parts.map((part) => part.mrkdwn).join(between) };
}

/** A mention, if the text has the form of an id. */
export function mention(user: string): Mrkdwn {
  return /^[A-Z0-9_]{1,32}$/i.test(user) ? { mrkdwn: `<@${user}>` } : mrkdwn`${user.slice(0, 32)}`;
}

/** A link to a channel. Slack shows each reader its name, if the reader may see the channel. */
export function channelLink(channel: string): Mrkdwn {
  return { mrkdwn: `<#${channel.replace(/[^A-Z0-9]/gi, '')}>` };
}

/** The name of an approver: a person, a user group, or a word for people who are known only when asked. */
export function approverName(approver: string, requester: string): Mrkdwn {
  if (approver === 'requester') return mention(requester);
  if (approver === 'channel') return { mrkdwn: 'people in this channel' };
  return called(approver);
}

/** A mention: Slack has another sign for a user group than for a person. */
export function called(id: string): Mrkdwn {
  return /^S[A-Z0-9]{2,31}$/.test(id) ? { mrkdwn: `<!subteam^${id}>` } : mention(id);
}

/** A time, which Slack shows in the time zone of each reader: to the minute or to the second. */
export function moment(atMs: number, time: 'time' | 'time_secs' = 'time'): Mrkdwn {
  const seconds = Math.floor(Math.min(Math.max(atMs, 0), LATEST_MS) / 1000) || 0;
  const fallback = `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { mrkdwn: `<!date^${seconds}^{date_short_pretty} {${time}}|${fallback}>` };
}

/** The end of the year 9999. A later date has no text. */
const LATEST_MS = 253_402_300_799_000;

export function section(id: string, text: Mrkdwn): SectionBlock {
  return { type: 'section', block_id: id, text: mrkdwnText(text, SLACK.sectionChars) };
}

/** One row of a list: text that is shown letter for letter, and one button beside it. */
export function rowWithButton(id: string, text: string, chars: number, accessory: Button): SectionBlock {
  return { type: 'section', block_id: id, text: plain(text, Math.min(chars, SLACK.sectionChars)), accessory };
}

/** Sentences from elsewhere, shown letter for letter. */
export function prose(id: string, text: string, chars: number): RichTextBlock {
  return {
    type: 'rich_text',
    block_id: id,
    elements: [{ type: 'rich_text_section', elements: [written(text, chars)] }],
  };
}

/** Words from elsewhere, under a line that says whose they are. */
export function quotation(id: string, whose: string, text: string, chars: number): RichTextBlock {
  return {
    type: 'rich_text',
    block_id: id,
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: whose, style: { italic: true } }] },
      { type: 'rich_text_quote', elements: [written(text, chars)] },
    ],
  };
}

/** Letters of one style, shown as they are. */
export interface Letters {
  readonly text: string;
  readonly chars?: number;
  readonly style?: 'bold' | 'code' | 'italic' | 'strike';
}

export function letters(text: string, style?: Letters['style']): Letters {
  return { text, ...given({ style }) };
}

/** A link to a channel among letters. */
interface ChannelLetters extends Pick<Letters, 'style'> {
  readonly channel: string;
}

/** One paragraph in which parts stand out. Nothing in it is interpreted, and a sign is an emoji of the bot. */
export function paragraph(
  id: string,
  parts: readonly (Letters | ChannelLetters | { readonly sign: string })[],
): RichTextBlock {
  const elements = parts.map((part) => {
    if ('sign' in part) return { type: 'emoji' as const, name: part.sign };
    if ('channel' in part) return { type: 'channel' as const, channel_id: part.channel, ...styleOf(part) };
    return { ...written(part.text, part.chars ?? SLACK.sectionChars), ...styleOf(part) };
  });
  return { type: 'rich_text', block_id: id, elements: [{ type: 'rich_text_section', elements }] };
}

function styleOf({ style }: Pick<Letters, 'style'>): Pick<RichTextText, 'style'> {
  return style === undefined ? {} : { style: { [style]: true } };
}

function written(text: string, chars: number): RichTextText {
  return { type: 'text', text: plain(text, Math.min(chars, SLACK.sectionChars)).text };
}

/** Small print. */
export function footnote(id: string, texts: readonly (Mrkdwn | PlainTextElement)[]): ContextBlock {
  return { type: 'context', block_id: id, elements: shortTexts(texts, SLACK.contextElements) };
}

function shortTexts(texts: readonly (Mrkdwn | PlainTextElement)[], most: number): (MrkdwnElement | PlainTextElement)[] {
  return texts.slice(0, most).map((text) => ('mrkdwn' in text ? mrkdwnText(text, SLACK.fieldChars) : text));
}

/** Shows a text letter for letter. The text has to come from `visible`. */
export function preformatted(id: string, text: string): RichTextBlock {
  const elements = [{ type: 'text' as const, text: text === '' ? ' ' : text }];
  return { type: 'rich_text', block_id: id, elements: [{ type: 'rich_text_preformatted', elements }] };
}

export function actions(id: string, elements: readonly (Button | Overflow)[]): ActionsBlock {
  return { type: 'actions', block_id: id, elements: elements.slice(0, SLACK.actionElements) };
}

export interface ButtonText<Id extends string> {
  readonly action: Id;
  readonly text: string;
  /** Names the tool and the effect, for a person who hears the button instead of seeing it. */
  readonly label: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger';
}

/** A kind of question names its own ids: `button<DoubtButton>`. */
export function button<Id extends string = ButtonId>(shown: ButtonText<NoInfer<Id>>): Button {
  const { action, text, label, value, style } = shown;
  return {
    type: 'button',
    action_id: action,
    text: { type: 'plain_text', text, emoji: false },
    // Words that stand on the button have their invisible characters written out already.
    accessibility_label: cut(label === text ? text : visible(label), { chars: SLACK.labelChars }).text,
    value,
    ...given({ style }),
  };
}

export function menu(
  action: ButtonId,
  options: readonly { readonly text: string; readonly value: string }[],
): Overflow {
  return {
    type: 'overflow',
    action_id: action,
    options: options
      .slice(0, SLACK.overflowOptions)
      .map(({ text, value }) => ({ text: plain(text, SLACK.optionChars), value })),
  };
}

export function plain(text: string, chars: number): PlainTextElement {
  return { type: 'plain_text', text: plainText(text, chars), emoji: false };
}

/** Text for a place where Slack interprets nothing. */
export function plainText(text: string, chars: number): string {
  // Slack refuses an empty text.
  return cutWithNote(visibleProse(text), chars) || ' ';
}

export function divider(id: string): DividerBlock {
  return { type: 'divider', block_id: id };
}

export function hiddenNote(hidden: number): string {
  return `+ ${moreChars(hidden)}`;
}

/** What notifications and screen readers say. Slack reads mark-up in it, so it is built with the same care. */
export function fallback(text: Mrkdwn): string {
  return text.mrkdwn.slice(0, SLACK.fallbackChars);
}

/** A whole message: its blocks, and the text that is read out. */
export interface MessageView {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

export function mrkdwnText(text: Mrkdwn, chars: number = SLACK.sectionChars): MrkdwnElement {
  const shown = text.mrkdwn.slice(0, chars) || ' ';
  return { type: 'mrkdwn', text: shown, ...(LINKABLE.test(shown.replace(OWN_MARKUP, '')) ? { verbatim: true } : {}) };
}

/** Slack would make links of these. Only `verbatim` stops that. */
const LINKABLE = /[^\s.]\.[^\s.]|:\/\/|[@#]\w/;
const OWN_MARKUP = /<[^<>]*>/g;
