import type { Button, KnownBlock, PlainTextElement } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { actions, footnote, type Mrkdwn, mention, moment, mrkdwn, plain } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { linkTo } from '../pages/waiting-view.ts';
import { listed, outcomeText, waited } from '../words/wording.ts';
import {
  approvedCall,
  blockId,
  digestNote,
  type Granted,
  isShownWhole,
  type SettledApproval,
  summaryBlocks,
  toolName,
} from './call.ts';
import { againButton, viewButton } from './card-buttons.ts';
import { changedInputBlocks, inputBlocks, REMINDER, type Room, WHOLE } from './input.ts';
import { voidNote } from './looked.ts';
import { isDeciding } from './state-words.ts';
import { trustEndedNote, untrustButton } from './trust-buttons.ts';
import { answeredWords, isAskedInFull } from './wanted.ts';

/** The outcome of a question: who decided, when, and how the call came out. It has no button that decides. */
export function answerBlocks(approval: SettledApproval): readonly KnownBlock[] {
  return [
    ...ranInput(approval),
    ...buttons(approval),
    footnote(blockId(approval, 'print'), settledNotes(approval)),
    ...trustEnded(approval),
  ];
}

/** As it was asked, or as a person changed it. */
function ranInput(approval: SettledApproval): readonly KnownBlock[] {
  const id = blockId(approval, 'input');
  if (approval.wants !== undefined) return summaryBlocks(id, approval, SHOWN.questionShownChars);
  const edit = 'decision' in approval ? approval.decision.edit : undefined;
  if (edit !== undefined) return changedInputBlocks(id, approval.input, edit.input);
  return inputBlocks(id, approval.input, roomOf(approval));
}

const roomOf = (approval: SettledApproval): Room => (isDeciding(approval) ? WHOLE : REMINDER);

function buttons(approval: SettledApproval): readonly KnownBlock[] {
  switch (approval.status) {
    case 'approved':
    case 'trusted':
      return row(approval, [...endingTrust(approval), ...viewing(approval)]);
    case 'denied':
    case 'answered':
      return row(approval, viewing(approval));
    case 'expired':
      return approval.askedAgain === undefined
        ? [actions(blockId(approval, 'again'), [againButton(approval)])]
        : [footnote(blockId(approval, 'again'), [mrkdwn`Asked again by ${mention(approval.askedAgain.by)}.`])];
    case 'cancelled':
      return [];
  }
}

function row(approval: SettledApproval, drawn: readonly Button[]): readonly KnownBlock[] {
  return drawn.length === 0 ? [] : [actions(blockId(approval, 'view'), drawn)];
}

/** Drawn where the card does not show everything. */
export function viewing(approval: SettledApproval): readonly Button[] {
  const call = approvedCall(approval);
  if (isAskedInFull(call)) return [];
  return call.wants === undefined && isShownWhole(call, roomOf(approval)) ? [] : [viewButton(approval)];
}

/** The small print of an answer. */
export function settledNotes(approval: SettledApproval): readonly (Mrkdwn | PlainTextElement)[] {
  const { said, words } = saidOf(approval);
  return [
    ...said,
    ...[...words, ...digestNote(approvedCall(approval), roomOf(approval))].map((word) => plain(word, NOTE_CHARS)),
  ];
}

/** The sentence of a trust is never cut. */
const NOTE_CHARS = SHOWN.trustLineChars + 'Trusted: '.length;

/** The notes in the bot's own words, without any text of people or the model. */
export const endedNotes = (approval: SettledApproval): readonly Mrkdwn[] => saidOf(approval).said;

/** First the notes with mark-up of the bot, then the texts that are shown letter for letter. */
function saidOf(approval: SettledApproval): { readonly said: readonly Mrkdwn[]; readonly words: readonly string[] } {
  switch (approval.status) {
    case 'approved':
    case 'trusted': {
      const line = approval.status === 'trusted' ? [`Trusted: ${approval.trust?.line ?? approval.tool}`] : [];
      return {
        said: [decidedBy(approval, 'Approved'), ...newerCard(approval)],
        words: [voidNote(approval) ?? outcomeText(approval.outcome), ...line],
      };
    }
    case 'denied': {
      const why = approval.decision.reason?.trim() ?? '';
      return { said: [decidedBy(approval, 'Denied')], words: ['It did not run.', ...(why ? [`“${why}”`] : [])] };
    }
    case 'answered':
      return {
        said: [decidedBy(approval, 'Answered')],
        words: [
          ...(approval.wants === undefined ? ['It did not run.'] : []),
          answeredWords(approval, approval.decision.answer ?? ''),
        ],
      };
    case 'expired':
      return { said: [mrkdwn`Nobody answered by ${moment(approval.expiresAtMs)}. It did not run.`], words: [] };
    case 'cancelled': {
      if (approval.replacedBy !== undefined)
        return {
          said: [mrkdwn`A newer request took its place. It did not run.`, ...newerCard(approval)],
          words: causeOf(approval),
        };
      const who = approval.by === undefined ? mrkdwn`Cancelled.` : mrkdwn`Cancelled by ${mention(approval.by)}.`;
      return { said: [who, mrkdwn`It did not run.`], words: causeOf(approval) };
    }
  }
}

const causeOf = ({ cause }: { readonly cause: string }): readonly string[] =>
  cause.trim() === '' ? [] : [cause.trim()];

type Cancelled = Extract<Approval, { readonly status: 'cancelled' }>;

/** A link to the card on which people are asked now. */
export function newerCard({ replacedBy, thread }: Granted | Cancelled): readonly Mrkdwn[] {
  return linkTo(replacedBy?.card, thread, 'Go to the newer card');
}

function endingTrust(approval: Granted): readonly Button[] {
  const { grant: trust } = approval.decision;
  if (approval.status !== 'trusted' || trust === undefined || approval.trustEnded !== undefined) return [];
  return isDeciding(approval) ? [] : [untrustButton('trust_end', trust, toolName(approval.tool))];
}

function trustEnded(approval: SettledApproval): readonly KnownBlock[] {
  const ended = approval.status === 'trusted' ? approval.trustEnded : undefined;
  return ended === undefined ? [] : [trustEndedNote(blockId(approval, 'ended'), ended)];
}

function decidedBy(approval: Extract<SettledApproval, { readonly decision: unknown }>, verb: string): Mrkdwn {
  const { by, atMs, edit } = approval.decision;
  const how = edit === undefined ? verb : `${verb} with changes`;
  // The decision names the last of several yeses. The others are listed as well.
  const others = approval.status === 'denied' ? [] : (approval.progress?.yeses ?? []);
  const who = listed([...others.map((yes) => mention(yes.by)), mention(by)], 'and');
  return mrkdwn`${how} by ${who} · ${moment(atMs)} · ${waited(atMs - approval.askedAtMs)}`;
}
