import type { KnownBlock, RichTextBlock } from '@slack/types';
import { given } from '../../../../app/given.ts';
import type { Approval } from '../../../../app/records/index.ts';
import {
  actions,
  footnote,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  mrkdwnText,
  plain,
  plainText,
} from '../../kit/blocks.ts';
import { shownText } from '../../kit/input-text.ts';
import { SHOWN } from '../../kit/limits.ts';
import { cut, cutMiddle, moreChars, visible } from '../../kit/text.ts';
import { listed } from '../../words/wording.ts';
import {
  approvedCall,
  blockId,
  deciders,
  digestLine,
  hidesUndeclared,
  inputNotes,
  type Pending,
  type SettledApproval,
  toolName,
  yesesSoFar,
} from '../call.ts';
import { settledNotes } from '../card-answer.ts';
import { againButton, approveButton, denyButton, viewButton } from '../card-buttons.ts';
import { moreMenu } from '../card-question.ts';
import { isDeciding, stateWords } from '../state-words.ts';
import { untrustButton } from '../trust-buttons.ts';

/** One call on a list card. It has less room than a card of its own. */
const ROOM = { chars: SHOWN.rowInputChars, lines: SHOWN.rowInputLines } as const;

/** A row that does not show all of what will run has no Approve. `app/approvals/` asks this before it accepts one. */
export function showsWholeInRow(approval: Approval): boolean {
  const { tool, input } = approval;
  if (hidesUndeclared(approval)) return false;
  if (tool.length > SHOWN.rowToolChars || input.length > SHOWN.rowInputChars) return false;
  return cut(rowText(input), ROOM).hidden === 0;
}

/** An input that fits into one line is shown as one line of JSON. */
function rowText(input: string): string {
  return input.length <= SHOWN.lineChars ? visible(input) : shownText(input);
}

/** Notes that are the same for all rows, and so stand above them. */
export interface RowNotes {
  readonly deciders: boolean;
  readonly expiry: boolean;
}

export function pendingRow(approval: Pending, place: number, notes: RowNotes): readonly KnownBlock[] {
  const whole = showsWholeInRow(approval);
  const { text, hidden } = cut(rowText(approval.input), ROOM);
  return [
    asked(approval, place, text),
    footnote(blockId(approval, 'print'), [
      ...(approval.effect === 'guarded' ? [mrkdwn`*Asks every time*`] : []),
      ...(hidden === 0 ? [] : [plain(`+ ${moreChars(hidden)}: Approve stands at the end of View full input.`, 300)]),
      ...(whole || hidden > 0
        ? []
        : [plain(`${whyNotWhole(approval)}: Approve stands at the end of View full input.`, 300)]),
      ...(notes.deciders ? [mrkdwn`Can decide: ${listed(deciders(approval), 'or')}`] : []),
      ...yesesSoFar(approval).map((yeses) => mrkdwn`Approvals: ${yeses}`),
      ...(notes.expiry ? [mrkdwn`Expires ${moment(approval.expiresAtMs)}`] : []),
      ...(approval.ruledBy === undefined ? [] : [plain(`Rule: ${approval.ruledBy.name}`, 100)]),
      ...inputNotes(approval).map((note) => plain(note, 150)),
      plain(digestLine(approval.digest), SHOWN.noteChars),
    ]),
    actions(blockId(approval, 'choices'), [
      ...(whole ? [approveButton(approval, 'in a row')] : []),
      denyButton(approval, 'in a row'),
      viewButton(approval),
      moreMenu(approval, false),
    ]),
  ];
}

function whyNotWhole(approval: Pending): string {
  return hidesUndeclared(approval) ? 'The tool does not declare secret what is hidden' : 'The name is longer';
}

/** Number, tool, what it does and its input, all shown letter for letter. */
function asked(approval: Pending, place: number, input: string): RichTextBlock {
  const summary = approval.summary.trim();
  return {
    type: 'rich_text',
    block_id: blockId(approval, 'row'),
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: `${place}. `, style: { bold: true } },
          { type: 'text', text: plainText(cutMiddle(approval.tool, SHOWN.rowToolChars), 200), style: { code: true } },
          ...(summary === '' ? [] : [{ type: 'text' as const, text: ` ${plainText(summary, SHOWN.rowSummaryChars)}` }]),
        ],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: input === '' ? ' ' : input }] },
      ...lookedElements(approval),
    ],
  };
}

/** The preview. A call with more than a preview has a card of its own. */
function lookedElements({ preview = '' }: Pending): RichTextBlock['elements'] {
  if (preview.trim() === '') return [];
  const whose = { type: 'text' as const, text: 'What it would do, in the tool’s own words', style: { italic: true } };
  return [
    { type: 'rich_text_section', elements: [whose] },
    {
      type: 'rich_text_quote',
      elements: [{ type: 'text', text: plainText(preview.trim(), SHOWN.rowPreviewChars) }],
    },
  ];
}

/** The outcome of one row. */
export function settledRow(approval: SettledApproval, place: number): readonly KnownBlock[] {
  const { sign, state } = stateWords(approval);
  const call = approvedCall(approval);
  const summary = cutMiddle(call.summary.trim().replaceAll('\n', ' '), SHOWN.rowSummaryChars);
  const head = mrkdwn`${{ mrkdwn: `:${sign}:` }} *${place}. ${state}* · \`${cutMiddle(toolName(approval.tool), SHOWN.rowToolChars)}\` ${summary}`;
  const button = buttonOf(approval);
  return [
    {
      type: 'section',
      block_id: blockId(approval, 'row'),
      text: mrkdwnText(head),
      ...given({ accessory: button }),
    },
    footnote(blockId(approval, 'print'), [...settledNotes(approval), ...followed(approval)]),
    ...ending(approval),
  ];
}

function followed(approval: SettledApproval): readonly Mrkdwn[] {
  if (approval.status === 'expired' && approval.askedAgain !== undefined)
    return [mrkdwn`Asked again by ${mention(approval.askedAgain.by)}.`];
  if (approval.status !== 'trusted' || approval.trustEnded === undefined) return [];
  return [mrkdwn`Trust ended by ${mention(approval.trustEnded.by)} · ${moment(approval.trustEnded.atMs)}`];
}

function buttonOf(approval: SettledApproval) {
  if (approval.status === 'cancelled') return undefined;
  if (approval.status === 'expired') return approval.askedAgain === undefined ? againButton(approval) : undefined;
  return viewButton(approval);
}

function ending(approval: SettledApproval): readonly KnownBlock[] {
  if (approval.status !== 'trusted' || approval.trustEnded !== undefined || isDeciding(approval)) return [];
  const { grant: trust } = approval.decision;
  if (trust === undefined) return [];
  return [actions(blockId(approval, 'ending'), [untrustButton('trust_end', trust, toolName(approval.tool))])];
}
