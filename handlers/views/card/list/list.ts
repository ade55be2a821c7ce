import type { KnownBlock } from '@slack/types';
import { fallback, footnote, type MessageView, type Mrkdwn, plain, section } from '../../kit/blocks.ts';
import { SHOWN } from '../../kit/limits.ts';

/** The parts that all lists share: a headline, rows up to a number, and how many more there are. */
export interface Listed<Item> {
  readonly id: string;
  readonly head: Mrkdwn;
  readonly items: readonly Item[];
  readonly most: number;
  /** How many more items exist that were not looked up. */
  readonly unread?: number;
  readonly row: (item: Item) => readonly KnownBlock[];
}

export function listView<Item>(list: Listed<Item>): MessageView {
  return { text: fallback(list.head), blocks: listBlocks(list) };
}

export function listBlocks<Item>({ id, head, items, most, unread = 0, row }: Listed<Item>): KnownBlock[] {
  const shown = items.slice(0, most);
  const left = items.length - shown.length + unread;
  return [
    section(id, head),
    ...shown.flatMap(row),
    ...(left > 0 ? [footnote(`${id}:more`, [plain(`and ${left} more`, SHOWN.noteChars)])] : []),
  ];
}
