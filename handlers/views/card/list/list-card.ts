import type { KnownBlock } from '@slack/types';
import type { Approval, ListCard } from '../../../../app/records/index.ts';
import {
  actions,
  button,
  fallback,
  footnote,
  join,
  letters,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  paragraph,
  quotation,
} from '../../kit/blocks.ts';
import { SHOWN, SLACK } from '../../kit/limits.ts';
import { cutMiddle } from '../../kit/text.ts';
import { count } from '../../words/wording.ts';
import { alsoWrote, blockId, choicesId, decidingWords, type Pending, toolName } from '../call.ts';
import { whoDecides } from '../card-question.ts';
import { stateWords } from '../state-words.ts';
import { pendingRow, type RowNotes, settledRow } from './list-row.ts';
import { rowNames, showsWholeInRow } from './row-words.ts';

/** The card of several calls of one turn, each decided alone. The buttons for all of them stand below the last row. */
export function listCard(list: ListCard): MessageView {
  const { rows } = list;
  const open = openRows(list);
  const notes = {
    deciders: differ(open.map((row) => decidingWords(row).mrkdwn)),
    expiry: differ(open.map(({ expiresAtMs }) => `${Math.floor(expiresAtMs / 60_000)}`)),
    tools: differ(rows.map(({ tool }) => tool)),
  };
  const names = rowNames(rows);
  const drawn = rows.map((row, at) =>
    row.status === 'pending'
      ? pendingRow(row, { number: at + 1, name: names[at] ?? '' }, notes)
      : settledRow(row, at + 1),
  );
  return {
    text: fallback(spoken(list)),
    blocks: [
      headline(list, notes),
      ...facts(list, open, notes),
      ...words(list, open),
      ...drawn.flat(),
      ...(open.length < 2 ? [] : [forAll(list, open)]),
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

function forAll(list: ListCard, open: readonly Pending[]): KnownBlock {
  const { id } = list;
  const count = open.length;
  const approve = button({
    action: 'list_approve_all',
    ...approveAll(rowNames(open)),
    value: id,
    style: 'primary',
  });
  const deny = button({
    action: 'list_deny_all',
    text: 'Deny all…',
    label: `Deny all: each of the ${count} calls on this card that wait`,
    value: id,
    style: 'danger',
  });
  return actions(choicesId(list), [...(mayApproveTogether(list) ? [approve] : []), deny]);
}

/** Names as many calls as a phone shows on a button, where longer words are cut, and the others to a screen reader. */
function approveAll(names: readonly string[]): { readonly text: string; readonly label: string } {
  const all = `Approve all ${names.length}`;
  const naming = (some: number): string => {
    const more = names.length - some;
    return `${all}: ${names.slice(0, some).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  };
  const some = names.findLastIndex((_, at) => naming(at + 1).length <= SHOWN.phoneButtonChars) + 1;
  const text = some === 0 ? all : naming(some);
  const rest = names.slice(some);
  return { text, label: rest.length === 0 ? text : cutMiddle(`${text}: ${rest.join(', ')}`, SLACK.buttonChars) };
}

/** The state, the number of calls, and their tool if all have the same. */
function headline(list: ListCard, { tools }: RowNotes): KnownBlock {
  const all = list.rows.length;
  const open = openRows(list).length;
  const [first] = list.rows;
  const calls = `${count(all, 'call')}${tools ? '' : ' of '}`;
  const state = open > 0 ? 'Approval needed' : 'Nothing waits here any more';
  const some = open > 0 && open < all ? `${open} of ` : '';
  return paragraph(blockId(list, 'head'), [
    { sign: open > 0 ? 'lock' : 'clipboard' },
    letters(` ${state} · `),
    letters(`${some}${calls}`, 'bold'),
    ...(tools || first === undefined ? [] : [letters(toolName(first.tool), 'code')]),
  ]);
}

function facts(list: ListCard, open: readonly Pending[], notes: RowNotes): readonly KnownBlock[] {
  const [first] = open;
  if (first === undefined) return [];
  const who = notes.deciders ? mrkdwn`${mention(list.requester)} asks` : whoDecides(first);
  const until = notes.expiry ? [] : [mrkdwn`until ${moment(first.expiresAtMs)}`];
  return [
    footnote(blockId(list, 'facts'), [join([who, ...until], ' · ')]),
    // The calls of one answer were steered by the same people.
    ...alsoWrote(first).map((line) => footnote(blockId(list, 'also'), [line])),
  ];
}

/** The agent's own words, once for all calls, unless they stand right above. */
function words(list: ListCard, [first]: readonly Pending[]): readonly KnownBlock[] {
  const said = first?.reason?.trim() ?? '';
  if (said === '' || first?.saidAbove === true) return [];
  return [quotation(blockId(list, 'reason'), 'In the agent’s own words', said, SHOWN.reasonChars)];
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
