import type { ContextActionsBlock } from '@slack/types';
import type { TrustedCalls } from '../../../app/records/index.ts';
import type { CallThatRan } from '../../../app/surface.ts';
import { toolName } from '../card/call.ts';
import { fallback, footnote, join, type MessageView, type Mrkdwn, mention, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutWithNote, pieces, replaceFormatting, visible } from '../kit/text.ts';
import { inWords } from '../words/wording.ts';
import { looksLikeCard, quoteFirstHead, quoteHeads } from './heads.ts';
import { plainLinks } from './links.ts';
import { trustedLine } from './trusted-line.ts';

/**
 * An answer of the model, or sentences of the bot, in as many messages as it needs. A long answer may take a while to read, so
 * other work may have a turn between the steps.
 */
export function* replyInSteps(text: string, about: ReplyAbout = {}): Generator<void, readonly MessageView[]> {
  const { signed, trusted, calls = [], opinion } = about;
  if (trusted !== undefined) return [trustedLine(trusted)];
  const said = text.trim() === '' ? NOTHING_SAID : text.trim();
  const parts = splitMarkdown(yield* quoteHeads(safeMarkdown(said)));
  return parts.map((text, index) => {
    const last = index === parts.length - 1;
    // The split may have put words at the beginning of a line.
    const part = index === 0 ? text : quoteFirstHead(text);
    const marked = looksLikeCard(part);
    return {
      text: fallback(mrkdwn`${marked ? `${WRITTEN}: ` : ''}${cutWithNote(spoken(part) || part, SHOWN.summaryChars)}`),
      blocks: [
        { type: 'markdown', text: part },
        ...(marked ? [footnote('written', [mrkdwn`${WRITTEN}`])] : []),
        ...(calls.length > 0 && last ? [footnote(blockOf(calls), [callsLine(calls)])] : []),
        ...(signed !== undefined && last
          ? [footnote('signed', [mrkdwn`${signed.label} ${mention(signed.user)}`])]
          : []),
        ...(opinion !== undefined && last ? [opinionButtons(opinion)] : []),
      ],
    };
  });
}

/** Stands where a reply looks like a card. */
const WRITTEN = 'Written by the agent';

export interface ReplyAbout {
  readonly signed?: Signature;
  readonly trusted?: TrustedCalls;
  readonly calls?: readonly CallThatRan[];
  readonly opinion?: Opinion;
}

interface Opinion {
  readonly run: string;
  readonly turn: number;
}

function opinionButtons({ run, turn }: Opinion): ContextActionsBlock {
  const one = (opinion: 'good' | 'bad', text: string, label: string) => ({
    text: { type: 'plain_text' as const, text },
    value: `${opinion} ${run} ${turn}`,
    accessibility_label: label,
  });
  return {
    type: 'context_actions',
    block_id: 'opinion',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'reply_opinion',
        positive_button: one('good', 'Good answer', 'This answer was good'),
        negative_button: one('bad', 'Bad answer', 'This answer was bad'),
      },
    ],
  };
}

/** A streamed reply leaves out `calls`, because its tasks show the same. They do not show that a tool reached its limit. */
const blockOf = (calls: readonly CallThatRan[]): string =>
  calls.some(({ limitMs }) => limitMs !== undefined) ? 'calls-at-limit' : 'calls';

/** The calls that ran without asking, in one line, so that all people in the thread can see them. */
function callsLine(calls: readonly CallThatRan[]): Mrkdwn {
  const shown = calls
    .slice(0, SHOWN.calls)
    .map(
      ({ tool, outcome, ms, limitMs }) =>
        mrkdwn`\`${toolName(tool)}\` (${outcome === 'ran' ? inWords(ms) : `${atLimit(limitMs)}${OUTCOME[outcome]}`})`,
    );
  const more = calls.length > shown.length ? mrkdwn` and ${calls.length - shown.length} more` : mrkdwn``;
  return mrkdwn`Used ${join(shown, ', ')}${more}`;
}

const atLimit = (limitMs: number | undefined): string =>
  limitMs === undefined ? '' : `told to stop at its time limit of ${inWords(limitMs)}; `;

const OUTCOME = { failed: 'failed', unknown: 'nobody knows whether it finished' } as const;

/** The person behind a text. The text itself mentions no person, so this one is named below it. */
export interface Signature {
  readonly label: string;
  readonly user: string;
}

/** The text without its signs, for notifications and screen readers. */
function spoken(markdown: string): string {
  const plain = markdown.replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '');
  const words = replaceFormatting(plain, () => '').replaceAll('&lt;', '<');
  return words.replace(/\s+/g, ' ').trim() || 'A message without words.';
}

const NOTHING_SAID = 'I have nothing to add.';

/**
 * Splits between paragraphs, else lines, else sentences, else words. A code block that is split is closed and opened again,
 * so that each message reads well alone.
 */
export function splitMarkdown(markdown: string, chars: number = SHOWN.replyChars): readonly string[] {
  const parts: string[] = [];
  let rest = markdown;
  let fence = '';
  while (fence.length + rest.length > chars) {
    const room = chars - fence.length - FENCE_ROOM;
    const end = goodEnd(rest, room);
    const part = fence + rest.slice(0, end);
    fence = openFence(part);
    parts.push(fence === '' ? part.trimEnd() : `${part.trimEnd()}\n${fenceSign(fence)}`);
    rest = fence === '' ? rest.slice(end).trimStart() : rest.slice(end).replace(/^\n+/, '');
  }
  return [...parts, fence + rest].filter((part) => part.trim() !== '');
}

const FENCE_ROOM = 16;
const LONGEST_FENCE = 80;

function goodEnd(text: string, room: number): number {
  for (const end of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(end, room - end.length);
    if (at > room / 2) return at + end.length;
  }
  return pieces(text.slice(0, room + 1), room)[0]?.length ?? room;
}

/** The line that opened the code block in which a text ends, or an empty text. */
function openFence(markdown: string): string {
  let open = '';
  for (const line of markdown.split('\n')) {
    const sign = /^ {0,3}(`{3,10}|~{3,10})/.exec(line)?.[1] ?? '';
    if (open === '' && sign !== '') open = `${line.slice(0, LONGEST_FENCE).trim()}\n`;
    else if (sign !== '' && closes(line, open)) open = '';
  }
  return open;
}

function closes(line: string, open: string): boolean {
  const sign = fenceSign(open);
  return line.trim().startsWith(sign) && line.trim().replaceAll(sign.charAt(0), '') === '';
}

function fenceSign(fence: string): string {
  return /^(`+|~+)/.exec(fence)?.[1] ?? '';
}

/**
 * A text of the agent without mentions, and with links that show where they go: a model repeats what it has read. A sign that
 * turns the order of letters is written out, so that no words backwards look like a card.
 */
export function safeMarkdown(markdown: string): string {
  const inOrder = markdown.replace(/[\u202D\u202E]/g, visible);
  return withoutPings(plainLinks(inOrder.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')));
}

/** Removes mentions, and links in Slack's own notation, which may show one address and lead to another. */
export function withoutPings(markdown: string): string {
  // A sign ends with a bracket or a blank, so the text is read piece by piece, and each piece once.
  return markdown.replace(/[^\s>]+/g, (piece) => {
    const lastBar = piece.lastIndexOf('|');
    return piece.replace(/<(?:(?=[!@#][A-Za-z0-9])|(?=[A-Za-z][\w+.-]*:))/g, (sign, at: number) => {
      const isLink = /[A-Za-z]/.test(piece.charAt(at + 1));
      const acts = isLink ? piece.indexOf(':', at) < lastBar : !/^<!(?:DOCTYPE|--)/i.test(piece.slice(at, at + 10));
      return acts ? '&lt;' : sign;
    });
  });
}
