import type { GrowingCall } from '../../../app/surface.ts';
import { atOnce } from '../../../app/time/index.ts';
import type { MessageView } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutWithNote, visible } from '../kit/text.ts';
import { quoteHeads, withoutOpenHead } from './heads.ts';
import { withoutOpenLink } from './links.ts';
import { safeMarkdown, splitMarkdown } from './reply.ts';

/** A reply while it is written. What is shown of it must still be right when more text has come. */

/** Stands in the thread until there is text, where Slack refuses a stream. */
export const PLACEHOLDER: MessageView = {
  text: 'I am writing an answer.',
  blocks: [{ type: 'markdown', text: '_I am writing an answer…_' }],
};

/**
 * The beginning of the answer that no later text changes: without an open sign that may become a mention, a link or the
 * head of a card, and without half a character. A long answer is cut to what its first message holds.
 */
export function growingReply(text: string): string {
  const written = safeMarkdown(settled(text.slice(0, READ_CHARS)).trim());
  const [first = ''] = splitMarkdown(atOnce(quoteHeads(withoutOpenHead(written), written)));
  return first;
}

/** More than fills the first message. A growing text is read again and again, so the rest is left to its last reading. */
const READ_CHARS = 3 * SHOWN.replyChars;

function settled(text: string): string {
  const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  // A sign ends with a bracket or a blank, and may hold other beginnings of signs.
  const open = whole.indexOf('<', lastSignEnd(whole) + 1);
  return withoutOpenLink(open !== -1 && whole.length - open < LONGEST_SIGN ? whole.slice(0, open) : whole);
}

/** Where the last sign ended, or -1 where none has. Searched from the end backwards. */
function lastSignEnd(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !/[\s>]/.test(text.charAt(at))) at -= 1;
  return at;
}

/** Longer than any mention. An address this long without a bar in it is plain text. */
const LONGEST_SIGN = 500;

export interface TaskUpdate {
  readonly type: 'task_update';
  readonly id: string;
  readonly title: string;
  readonly status: 'in_progress' | 'complete' | 'error';
  readonly details?: string;
}

const STATUS = { running: 'in_progress', ran: 'complete', failed: 'error' } as const;
const TITLE_CHARS = 100;
const DETAIL_CHARS = 250;

/** One line for each call: the tool, and what it is for in one sentence, in which no mark-up acts. Never its result. */
export function growingTasks(calls: readonly GrowingCall[]): readonly TaskUpdate[] {
  return calls.map(({ id, tool, summary, status }) => ({
    type: 'task_update',
    id,
    title: cutWithNote(visible(tool), TITLE_CHARS),
    status: STATUS[status],
    ...(summary === '' || summary === tool
      ? {}
      : { details: cutWithNote(safeMarkdown(visible(summary.replace(/\s+/g, ' '))), DETAIL_CHARS) }),
  }));
}
