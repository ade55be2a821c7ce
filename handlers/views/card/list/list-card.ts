import type { KnownBlock } from '@slack/types';
import type { Approval, ListCard } from '../../../../app/records/index.ts';
import {
  actions,
  button,
  divider,
  fallback,
  fields,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  quotation,
  section,
} from '../../kit/blocks.ts';
import { SHOWN } from '../../kit/limits.ts';
import { cutMiddle } from '../../kit/text.ts';
import { count, listed } from '../../words/wording.ts';
import { alsoWrote, deciders, type Pending, toolName } from '../call.ts';
import { stateWords } from '../state-words.ts';
import { pendingRow, settledRow, showsWholeInRow } from './list-row.ts';

/** The card of several calls of one turn, each decided alone. The buttons for all of them stand below the last row. */
export function listCard(list: ListCard): MessageView {
  const { rows } = list;
  const open = openRows(list);
  const decidersDiffer = differ(open.map((row) => listed(deciders(row), 'or').mrkdwn));
  const expiryDiffers = differ(open.map(({ expiresAtMs }) => `${Math.floor(expiresAtMs / 60_000)}`));
  const notes = { deciders: decidersDiffer, expiry: expiryDiffers };
  const drawn = rows.map((row, index) =>
    row.status === 'pending' ? pendingRow(row, index + 1, notes) : settledRow(row, index + 1),
  );
  return {
    text: fallback(spoken(list)),
    blocks: [
      section(blockId(list, 'head'), headline(list)),
      ...facts(list, open, notes),
      ...reason(list, open),
      ...drawn.flatMap((blocks, index) => [divider(blockId(list, `above-${index}`)), ...blocks]),
      ...(open.length < 2 ? [] : [divider(blockId(list, 'below')), forAll(list, open.length)]),
    ],
  };
}

/** May one press approve all rows? `app/approvals/` asks this before it accepts one. */
export function mayApproveTogether(list: ListCard): boolean {
  const plain = ({ effect, progress, secondFactor, wants }: Approval): boolean =>
    effect === 'asked' && progress === undefined && secondFactor === undefined && wants === undefined;
  return openRows(list).every((row) => plain(row) && showsWholeInRow(row));
}

export function openRows({ rows }: Pick<ListCard, 'rows'>): readonly Pending[] {
  return rows.filter((row): row is Pending => row.status === 'pending');
}

function forAll(list: ListCard, open: number): KnownBlock {
  const { id } = list;
  const approve = button({
    action: 'list_approve_all',
    text: `Approve all (${open})`,
    label: `Approve each of the ${open} calls on this card that wait`,
    value: id,
    style: 'primary',
  });
  const deny = button({
    action: 'list_deny_all',
    text: 'Deny all…',
    label: `Deny each of the ${open} calls on this card that wait`,
    value: id,
    style: 'danger',
  });
  return actions(blockId(list, 'all'), [...(mayApproveTogether(list) ? [approve] : []), deny]);
}

function headline(list: ListCard): Mrkdwn {
  const all = list.rows.length;
  const open = openRows(list).length;
  if (open === all)
    return mrkdwn`:lock: *Approval needed* · ${count(all, 'call')} of one answer, each decided by itself`;
  if (open > 0)
    return mrkdwn`:lock: *Approval needed* · ${open} of ${count(all, 'call')} still ${open === 1 ? 'waits' : 'wait'}`;
  return mrkdwn`:clipboard: *Nothing waits here any more* · ${count(all, 'call')} of one answer`;
}

function facts(
  list: ListCard,
  open: readonly Pending[],
  notes: { deciders: boolean; expiry: boolean },
): readonly KnownBlock[] {
  const [first] = open;
  if (first === undefined) return [];
  return [
    fields(blockId(list, 'facts'), [
      mrkdwn`*Asked by*\n${mention(list.requester)}`,
      ...(notes.deciders ? [] : [mrkdwn`*Can decide*\n${listed(deciders(first), 'or')}`]),
      ...(notes.expiry ? [] : [mrkdwn`*Expires*\n${moment(first.expiresAtMs)}`]),
    ]),
    // The calls of one answer were steered by the same people.
    ...alsoWrote(first).map((line) => footnote(blockId(list, 'also'), [line])),
  ];
}

/** The reason of the agent, which stands once above all calls. */
function reason(list: ListCard, open: readonly Pending[]): readonly KnownBlock[] {
  const said = open[0]?.reason?.trim() ?? '';
  return said === '' ? [] : [quotation(blockId(list, 'reason'), 'In the agent’s own words', said, SHOWN.reasonChars)];
}

/** For a screen reader: how many calls wait, then each with its state. */
function spoken(list: ListCard): Mrkdwn {
  const open = openRows(list).length;
  const [first] = openRows(list);
  const also = first === undefined ? [] : alsoWrote(first).map((line) => mrkdwn`${line}.`);
  const head =
    open === 0
      ? mrkdwn`Nothing waits on this card any more.`
      : mrkdwn`Approval needed for ${count(open, 'call')}, asked by ${mention(list.requester)}.`;
  const each = list.rows.map((row, index) => {
    const name = cutMiddle(toolName(row.tool), SHOWN.rowToolChars);
    return mrkdwn`${index + 1}. ${stateWords(row).state}: ${name}.`;
  });
  return join([head, ...also, ...each], ' ');
}

const differ = (texts: readonly string[]): boolean => new Set(texts).size > 1;

/** Slack does not redraw a block whose id it has seen, so each painting has ids of its own. */
function blockId({ id, revision }: ListCard, part: string): string {
  return `${part}:${id}:${revision}`;
}
