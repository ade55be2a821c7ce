import type { KnownBlock } from '@slack/types';
import type { Approval, CardReceipt, Thread } from '../../app/records.ts';
import { ACTION } from './action-ids.ts';
import {
  actions,
  button,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  prose,
  section,
} from './blocks.ts';
import { toolName } from './call.ts';
import { SHOWN } from './limits.ts';
import { listView } from './list.ts';
import { cutMiddle } from './text.ts';
import { count } from './wording.ts';

/** The open questions of one person, who alone sees this: some may come from places that others cannot look into. */
export function waitingView(approvals: readonly Approval[], more: number): MessageView {
  const head = headline(approvals.length + more);
  return listView({ id: 'waiting', head, items: approvals, most: SHOWN.waiting, unread: more, row: waitingRow });
}

function headline(waiting: number): Mrkdwn {
  if (waiting === 0) return mrkdwn`Nothing waits for you.`;
  return mrkdwn`*Waiting for you*: ${count(waiting, 'request')}`;
}

export function waitingRow(approval: Approval): readonly KnownBlock[] {
  const { id, tool, summary, requester, expiresAtMs, card, thread } = approval;
  const label = `View the full input of ${cutMiddle(toolName(tool), 40)}`;
  const facts = [mrkdwn`Asked by ${mention(requester)}`, mrkdwn`until ${moment(expiresAtMs)}`, ...linkTo(card, thread)];
  return [
    section(`waiting:${id}`, mrkdwn`\`${toolName(tool)}\``),
    ...(summary.trim() === '' ? [] : [prose(`waiting:${id}:summary`, summary.trim(), SHOWN.spokenChars)]),
    footnote(`waiting:${id}:print`, [join(facts, ' · ')]),
    // At the end of the full view stand Approve and Deny.
    actions(`waiting:${id}:view`, [button({ action: ACTION.view, text: 'View and decide', label, value: id })]),
  ];
}

/** Slack's own short address of a message: it opens in whichever workspace the reader is in. */
export function linkTo(card: CardReceipt | undefined, thread: Thread): readonly Mrkdwn[] {
  if (card === undefined || !/^[A-Z0-9]+$/.test(card.channel)) return [];
  if (![card.ts, thread.ts].every((ts) => /^\d+\.\d+$/.test(ts))) return [];
  const address = `https://slack.com/archives/${card.channel}/p${card.ts.replace('.', '')}?thread_ts=${thread.ts}`;
  return [{ mrkdwn: `<${address}|Go to the card>` }];
}
