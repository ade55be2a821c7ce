import type { KnownBlock } from '@slack/types';
import { given } from '../../../../app/given.ts';
import {
  actions,
  footnote,
  letters,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  mrkdwnText,
  paragraph,
  plain,
} from '../../kit/blocks.ts';
import { SHOWN } from '../../kit/limits.ts';
import { cutMiddle } from '../../kit/text.ts';
import {
  approvedCall,
  blockId,
  channelNote,
  choicesId,
  decidingWords,
  digestNote,
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
import { WHOLE } from '../input.ts';
import { isDeciding, stateWords } from '../state-words.ts';
import { trustEndedWords, untrustButton } from '../trust-buttons.ts';
import { type RowWords, rowWords } from './row-words.ts';

/** What is the same for all rows, and so stands above them. */
export interface RowNotes {
  readonly deciders: boolean;
  readonly expiry: boolean;
  readonly tools: boolean;
}

/** Which row of its list it is, with a name that tells it from the others. */
export interface RowPlace {
  readonly number: number;
  readonly name: string;
}

/** One line, and below it the buttons. What is special about this call alone stands between, in small print. */
export function pendingRow(approval: Pending, { number, name }: RowPlace, notes: RowNotes): readonly KnownBlock[] {
  const words = rowWords(approval);
  const label = `${number}: ${name}`;
  const whole = words.input !== undefined;
  return [
    paragraph(blockId(approval, 'row'), line(approval, number, words, notes)),
    ...smallPrint(approval, notes),
    actions(choicesId(approval), [
      ...(whole ? [approveButton(approval, label)] : []),
      denyButton(approval, label),
      ...(whole && !words.isCut && isNowShown(approval) ? [] : [viewButton(approval, label)]),
      moreMenu(approval, false),
    ]),
  ];
}

/** Number, sentence and input, all shown letter for letter; the input is set off, so that no sentence looks like one. */
function line(approval: Pending, number: number, { sentence, input, preview }: RowWords, notes: RowNotes) {
  const digest = digestNote(approval, input === undefined ? NO_ROOM : WHOLE);
  return [
    letters(`${number}. `, 'bold'),
    letters(sentence),
    ...(notes.tools ? [letters(' '), letters(cutMiddle(approval.tool, SHOWN.rowToolChars), 'code')] : []),
    ...(input === undefined ? [] : [letters(' '), letters(input, 'code')]),
    ...(preview === undefined ? [] : [letters(` ${preview}`)]),
    ...digest.map((text) => letters(` · ${text}`)),
  ];
}

const NO_ROOM = { chars: -1, lines: 0 } as const;

/** A row has no room for how things are now, so the full view shows it. */
const isNowShown = ({ precondition }: Pending): boolean => precondition === undefined;

function smallPrint(approval: Pending, notes: RowNotes): readonly KnownBlock[] {
  const { ruledBy, expiresAtMs } = approval;
  const said = [
    ...(hidesUndeclared(approval) ? [plain('It hides what the tool does not declare secret.', SHOWN.noteChars)] : []),
    ...(notes.deciders ? [decidingWords(approval)] : []),
    ...yesesSoFar(approval),
    ...(notes.expiry ? [mrkdwn`until ${moment(expiresAtMs)}`] : []),
    ...(ruledBy === undefined || ruledBy.unchanged === true ? [] : [plain(`Rule: ${ruledBy.name}`, SHOWN.noteChars)]),
    ...inputNotes(approval).map((note) => plain(note, SHOWN.noteChars)),
    ...channelNote(approval),
  ];
  return said.length === 0 ? [] : [footnote(blockId(approval, 'print'), said)];
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
    footnote(blockId(approval, 'print'), [...settledNotes(approval), ...channelNote(call), ...followed(approval)]),
    ...ending(approval),
  ];
}

function followed(approval: SettledApproval): readonly Mrkdwn[] {
  if (approval.status === 'expired' && approval.askedAgain !== undefined)
    return [mrkdwn`Asked again by ${mention(approval.askedAgain.by)}.`];
  if (approval.status !== 'trusted' || approval.trustEnded === undefined) return [];
  return [trustEndedWords(approval.trustEnded)];
}

function buttonOf(approval: SettledApproval) {
  if (approval.status === 'cancelled') return undefined;
  if (approval.status === 'expired') return approval.askedAgain === undefined ? againButton(approval) : undefined;
  return viewButton(approval, 'in full');
}

function ending(approval: SettledApproval): readonly KnownBlock[] {
  if (approval.status !== 'trusted' || approval.trustEnded !== undefined || isDeciding(approval)) return [];
  const { grant: trust } = approval.decision;
  if (trust === undefined) return [];
  return [actions(blockId(approval, 'ending'), [untrustButton('trust_end', trust, toolName(approval.tool))])];
}
