import type { HomeView, KnownBlock } from '@slack/types';
import type { WaitingList } from '../../../app/approvals/index.ts';
import type { Approval, KnownTool, StandingTrust, ToolEffect } from '../../../app/records/index.ts';
import { approvedCall, decidingWords, spoken, toolName } from '../card/call.ts';
import { listBlocks, listView } from '../card/list/list.ts';
import { inputInLine } from '../card/list/row-words.ts';
import { untrustButton } from '../card/trust-buttons.ts';
import {
  divider,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  plain,
  rowWithButton,
  section,
} from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { aboutTrust } from './trusted-view.ts';
import { linkTo, unheardBlocks, waitingItems, waitingRow } from './waiting-view.ts';

/** What the Home tab shows one person. No other person sees it. */
export interface HomeFacts {
  readonly waiting: WaitingList;
  readonly asked: Open;
  readonly decided: readonly Approval[];
  readonly trusted: readonly StandingTrust[];
  /** Calls that people approved several times in a row. Empty for a person who is not told of them. */
  readonly suggested?: readonly Approval[];
  readonly tools: readonly KnownTool[];
  /** Stands between `/` and the name of each command. */
  readonly commandPrefix?: string;
  /** The answer to the last press on the page. */
  readonly answer?: MessageView | undefined;
}

interface Open {
  readonly approvals: readonly Approval[];
  readonly more: number;
}

export function homeView({
  waiting,
  asked,
  decided,
  trusted,
  suggested = [],
  tools,
  commandPrefix = '',
  answer,
}: HomeFacts): HomeView {
  return home([
    ...(answer?.blocks ?? []),
    section('about', ABOUT),
    ...listOf('waiting', WAITING, waitingItems(waiting), waitingRow, waiting.more),
    ...unheardBlocks(waiting.unheard ?? []),
    ...listOf('asked', ASKED, asked.approvals, askedRow, asked.more),
    ...listOf('trusted', TRUSTED, trusted, trustedRow),
    ...listOf('decided', DECIDED, decided, decidedRow),
    ...suggestedBlocks(suggested),
    divider('tools:above'),
    ...toolBlocks(tools),
    footnote('help', [
      mrkdwn`Type \`/${commandPrefix}approvals help\` for commands, or mention me in a thread with \`help\`.`,
    ]),
  ]);
}

/** A page that says that it cannot be read. An empty page would look as if nothing waited. */
export function unreadableHome(): HomeView {
  return home([
    section('unreadable', mrkdwn`I cannot look this up just now. Nothing is lost: open this page again in a moment.`),
  ]);
}

const ABOUT = mrkdwn`*I work in threads, and ask a person before I act.* Mention me in a channel, or write to me here.`;

function home(blocks: KnownBlock[]): HomeView {
  return { type: 'home', blocks };
}

interface Titles {
  readonly title: string;
  readonly none: string;
}

const WAITING = { title: 'Waiting for you', none: 'Nothing waits for you.' };
const ASKED = { title: 'Asked by you', none: 'Nothing that you asked for waits.' };
const TRUSTED = { title: 'Runs without asking', none: 'You trust nothing, so each tool that needs a yes asks first.' };
const DECIDED = { title: 'Recently answered', none: 'Nothing was answered by you or for you in the last days.' };

function listOf<Item>(
  id: string,
  titles: Titles,
  items: readonly Item[],
  row: (item: Item) => readonly KnownBlock[],
  unread = 0,
): readonly KnownBlock[] {
  const head = headline(titles, items.length + unread);
  return [divider(`${id}:above`), ...listBlocks({ id, head, items, most: SHOWN.homeRows, unread, row })];
}

function headline({ title, none }: Titles, number: number): Mrkdwn {
  return number === 0 ? mrkdwn`*${title}*\n${none}` : mrkdwn`*${title}* (${number})`;
}

function askedRow(approval: Approval): readonly KnownBlock[] {
  return row('asked', approval, [decidingWords(approval), mrkdwn`until ${moment(approval.expiresAtMs)}`]);
}

/** The latest requests that this person decided or that were decided for this person. Only this person sees them. */
export function settledView(approvals: readonly Approval[]): MessageView {
  const head = headline(DECIDED, approvals.length);
  return listView({ id: 'settled', head, items: approvals, most: SHOWN.waiting, row: decidedRow });
}

function decidedRow(approval: Approval): readonly KnownBlock[] {
  return row('decided', approvedCall(approval), [outcomeLine(approval)]);
}

/** The tool and its state in one line, and below it what the call was to do. */
function row(list: string, approval: Approval, facts: readonly Mrkdwn[]): readonly KnownBlock[] {
  const { id, tool, card, thread } = approval;
  const said = spoken(approval);
  const about = [...(said === '' ? [] : [plain(said, SHOWN.noteChars)]), ...linkTo(card, thread)];
  return [
    section(`${list}:${id}`, join([mrkdwn`\`${toolName(tool)}\``, ...facts], ' · ')),
    ...(about.length === 0 ? [] : [footnote(`${list}:${id}:print`, about)]),
  ];
}

function outcomeLine(approval: Approval): Mrkdwn {
  switch (approval.status) {
    case 'approved':
    case 'trusted':
    case 'denied':
    case 'answered': {
      const { by, atMs, edit } = approval.decision;
      return mrkdwn`*${DECIDED_AS[approval.status]}${edit === undefined ? '' : ' with changes'}* by ${mention(by)} ${moment(atMs)}`;
    }
    case 'expired':
      return mrkdwn`*Expired* ${moment(approval.expiresAtMs)}; it did not run`;
    case 'cancelled':
      return approval.replacedBy === undefined
        ? mrkdwn`*Cancelled*; it did not run`
        : mrkdwn`*Replaced*; it did not run`;
    case 'pending':
      return mrkdwn`*Waiting*`;
  }
}

const DECIDED_AS = { approved: 'Approved', trusted: 'Approved', denied: 'Denied', answered: 'Answered' } as const;

function trustedRow(trust: StandingTrust): readonly KnownBlock[] {
  const { id, tool, offer } = trust;
  const end = untrustButton('trust_end_listed', id, tool);
  return [
    rowWithButton(`trust:${id}`, offer.line, SHOWN.trustLineChars, end),
    footnote(`trust:${id}:print`, [aboutTrust(trust)]),
  ];
}

/** In words: the rule itself is code, and stands in the audit. */
function suggestedBlocks(suggested: readonly Approval[]): readonly KnownBlock[] {
  if (suggested.length === 0) return [];
  const row = ({ id, tool, input, requester }: Approval) => [
    section(`suggested:${id}`, mrkdwn`\`${toolName(tool)}\` for ${mention(requester)}`),
    footnote(`suggested:${id}:print`, [plain(inputInLine(input), SHOWN.noteChars)]),
  ];
  const head = mrkdwn`*Approved again and again* (${suggested.length})\nThese calls were approved several times in a row, and a rule could let them run without asking. \`npm run audit -- attention\` prints the rules.`;
  return [
    divider('suggested:above'),
    ...listBlocks({ id: 'suggested', head, items: suggested, most: SHOWN.suggested, row }),
  ];
}

function toolBlocks(tools: readonly KnownTool[]): readonly KnownBlock[] {
  return [
    section('tools', mrkdwn`*What I can do*`),
    ...CLASSES.flatMap(({ effect, words }) => {
      const names = tools.filter((tool) => classOf(tool) === effect).map(({ name }) => mrkdwn`\`${toolName(name)}\``);
      if (names.length === 0) return [];
      const more = names.length > SHOWN.homeTools ? mrkdwn` and ${names.length - SHOWN.homeTools} more` : mrkdwn``;
      return [section(`tools:${effect}`, mrkdwn`${words}: ${join(names.slice(0, SHOWN.homeTools), ', ')}${more}`)];
    }),
  ];
}

/** A question to a person counts as guarded, because trust cannot answer it. */
const classOf = ({ effect, wants }: KnownTool): ToolEffect => (wants === undefined ? effect : 'guarded');

const CLASSES: readonly { readonly effect: ToolEffect; readonly words: string }[] = [
  { effect: 'open', words: 'Without asking' },
  { effect: 'asked', words: 'Asking each time, unless it is trusted' },
  { effect: 'guarded', words: 'Asking every time; these cannot be trusted' },
];
