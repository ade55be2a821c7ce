import type { KnownBlock } from '@slack/types';
import type { WaitingList } from '../../../app/approvals/index.ts';
import type { Approval, CardReceipt, Doubt, Thread, UnheardRun } from '../../../app/records/index.ts';
import { summaryBlocks, toolName } from '../card/call.ts';
import { listedAnswerButton, viewButton } from '../card/card-buttons.ts';
import { listBlocks, listView } from '../card/list/list.ts';
import {
  actions,
  button,
  fallback,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  section,
} from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { count } from '../words/wording.ts';

/** The open questions of one person. Only this person sees the list, because other people may not see all of its threads. */
export function waitingView({ more, unheard = [], ...waiting }: WaitingList): MessageView {
  const items = waitingItems(waiting);
  const head = headline(items.length + more);
  const list = listView({ id: 'waiting', head, items, most: SHOWN.waiting, unread: more, row: waitingRow });
  return { ...list, blocks: [...list.blocks, ...unheardBlocks(unheard)] };
}

/** A call that may have run comes first, because its work may be half done. */
export function waitingItems({
  approvals,
  doubts = [],
}: Pick<WaitingList, 'approvals' | 'doubts'>): readonly (Approval | Doubt)[] {
  return [...doubts, ...approvals];
}

/** Runs of this person that could not say in their thread how they ended. Nothing is drawn where there are none. */
export function unheardBlocks(runs: readonly UnheardRun[]): readonly KnownBlock[] {
  if (runs.length === 0) return [];
  const head = mrkdwn`*Threads that I could not answer in* (${runs.length})`;
  return listBlocks({ id: 'unheard', head, items: runs, most: SHOWN.unheard, row: unheardRow });
}

/** The same of one run, for a message to its requester. */
export function unheardNote(unheard: UnheardRun): MessageView {
  const line = mrkdwn`I could not answer you in your thread. ${causeOf(unheard)}`;
  return { text: fallback(line), blocks: [section('unheard', line), unheardPrint(unheard)] };
}

const unheardRow = (unheard: UnheardRun): readonly KnownBlock[] => [
  section(`unheard:${unheard.run}`, mrkdwn`${causeOf(unheard)}`),
  unheardPrint(unheard),
];

const causeOf = ({ cause = 'Slack did not take what I had to say.' }: UnheardRun): string => cause;

function unheardPrint({ run, atMs, thread }: UnheardRun): KnownBlock {
  return footnote(`unheard:${run}:print`, [join([moment(atMs), ...linkToThread(thread)], ' · ')]);
}

function headline(waiting: number): Mrkdwn {
  if (waiting === 0) return mrkdwn`Nothing waits for you.`;
  return mrkdwn`*Waiting for you*: ${count(waiting, 'request')}`;
}

export function waitingRow(item: Approval | Doubt): readonly KnownBlock[] {
  // People say what became of a call on its card, which the whole thread can read.
  if ('standing' in item) return row(item, mrkdwn`*Did this happen?* `);
  return [...row(item, mrkdwn``), waitingButtons(item)];
}

function row(item: Approval | Doubt, question: Mrkdwn): readonly KnownBlock[] {
  const { id, tool, requester, expiresAtMs, card, thread } = item;
  const facts = [mrkdwn`Asked by ${mention(requester)}`, mrkdwn`until ${moment(expiresAtMs)}`, ...linkTo(card, thread)];
  return [
    section(`waiting:${id}`, mrkdwn`${question}\`${toolName(tool)}\``),
    ...summaryBlocks(`waiting:${id}:summary`, item, SHOWN.spokenChars),
    footnote(`waiting:${id}:print`, [join(facts, ' · ')]),
  ];
}

/** The buttons of a row away from its card. The full view has Approve and Deny at its end. */
export function waitingButtons(approval: Approval): KnownBlock {
  const { id, tool, wants } = approval;
  const label = `View and decide this call of ${cutMiddle(toolName(tool), 40)}`;
  return actions(
    `waiting:${id}:view`,
    wants === undefined
      ? [button({ action: 'approval_view', text: 'View and decide', label, value: id })]
      : [listedAnswerButton(approval), viewButton(approval)],
  );
}

/** Slack's own short address of a message, which opens in the workspace that the reader is in. */
export function linkTo(
  card: CardReceipt | undefined,
  thread: Thread,
  words: 'Go to the card' | 'Go to the newer card' | 'Go to the thread' = 'Go to the card',
): readonly Mrkdwn[] {
  if (card === undefined || !/^[A-Z0-9]+$/.test(card.channel)) return [];
  if (![card.ts, thread.ts].every((ts) => /^\d+\.\d+$/.test(ts))) return [];
  const address = `https://slack.com/archives/${card.channel}/p${card.ts.replace('.', '')}?thread_ts=${thread.ts}`;
  return [{ mrkdwn: `<${address}|${words}>` }];
}

export function linkToThread(thread: Thread): readonly Mrkdwn[] {
  return linkTo(thread, thread, 'Go to the thread');
}
