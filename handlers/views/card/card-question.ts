import type { KnownBlock, Overflow } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { isEditable } from '../forms/edit-modal.ts';
import { referredLine } from '../forms/refer-modal.ts';
import {
  actions,
  footnote,
  join,
  type Mrkdwn,
  mention,
  menu,
  moment,
  mrkdwn,
  plain,
  quotation,
} from '../kit/blocks.ts';
import type { MenuVerb } from '../kit/buttons.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { visible } from '../kit/text.ts';
import {
  alsoWrote,
  blockId,
  choicesId,
  decidingWords,
  digestNote,
  hidesUndeclared,
  inputNotes,
  listedDeciders,
  type Pending,
  showsWholeInput,
  yesesSoFar,
} from './call.ts';
import { answerButton, approveButton, denyButton, trustButton, viewButton, webButton } from './card-buttons.ts';
import { inputBlocks, WHOLE } from './input.ts';
import { lookedBlocks } from './looked.ts';
import { isAskedInFull, wantedBlocks } from './wanted.ts';

/** An open question: all of what is asked, and the buttons that decide. */
export function questionBlocks(approval: Pending): readonly KnownBlock[] {
  const whole = showsWholeInput(approval);
  return [
    facts(approval),
    ...alsoWrote(approval).map((line) => footnote(blockId(approval, 'also'), [line])),
    ...(approval.saidAbove === true ? [] : agentsWords(approval)),
    ...lookedBlocks(approval),
    ...(approval.wants === undefined
      ? inputBlocks(blockId(approval, 'input'), approval.input, WHOLE)
      : wantedBlocks(approval, approval.wants)),
    ...(whole || approval.secondFactor === true || approval.wants !== undefined
      ? trustLine(approval)
      : [elsewhere(approval)]),
    choices(approval, whole),
    ...smallPrint(approval),
  ];
}

/** Who asks, who can decide and until when, in one line. A rule is named if the tool would do something else by itself. */
function facts(approval: Pending): KnownBlock {
  const { secondFactor, ruledBy, askedAtMs, expiresAtMs } = approval;
  const end = moment(expiresAtMs, expiresAtMs - askedAtMs < SHORT_MS ? 'time_secs' : 'time');
  const line = [whoDecides(approval), ...yesesSoFar(approval), mrkdwn`until ${end}`];
  return footnote(blockId(approval, 'facts'), [
    join(line, ' · '),
    ...(secondFactor === true ? [mrkdwn`This is decided outside of Slack`] : []),
    ...(ruledBy === undefined || ruledBy.unchanged === true ? [] : [plain(`Rule: ${ruledBy.name}`, SHOWN.noteChars)]),
  ]);
}

/** To the minute, the end of a shorter question looks as if it had passed. */
const SHORT_MS = 120_000;

/** One name where the same person asks and decides. */
export function whoDecides(approval: Pending): Mrkdwn {
  const requester = mention(approval.requester);
  const can = approval.wants === undefined ? 'can decide' : 'can answer';
  if (listedDeciders(approval).mrkdwn === requester.mrkdwn) return mrkdwn`${requester} asks and ${can}`;
  const people = approval.wants === undefined ? decidingWords(approval) : mrkdwn`${listedDeciders(approval)} ${can}`;
  return mrkdwn`${requester} asks · ${people}`;
}

function smallPrint(approval: Pending): readonly KnownBlock[] {
  const words = [
    ...digestNote(approval, WHOLE),
    ...inputNotes(approval),
    ...(isEditable(approval) || approval.wants !== undefined ? [] : ['Too long to be edited here.']),
  ];
  const notes = [...referredLine(approval), ...words.map((word) => plain(word, SHOWN.noteChars))];
  return notes.length === 0 ? [] : [footnote(blockId(approval, 'print'), notes)];
}

/** The agent's own words, marked as such, because they are not checked. The card leaves them out where they stand right above. */
export function agentsWords(approval: Approval): readonly KnownBlock[] {
  const said = approval.reason?.trim() ?? '';
  if (said === '') return [];
  return [quotation(blockId(approval, 'reason'), 'In the agent’s own words', said, SHOWN.reasonChars)];
}

function trustLine(approval: Pending): readonly KnownBlock[] {
  if (!offersTrust(approval)) return [];
  return [footnote(blockId(approval, 'trust'), [plain(trustWords(approval.trust), SHOWN.trustLineChars)])];
}

/**
 * No trust is offered where its line would be cut, because a cut line does not say what a press grants. `app/approvals/` asks
 * this before it accepts one.
 */
export function offersTrust({ effect, trust, wants }: Approval): boolean {
  return (
    effect === 'asked' &&
    wants === undefined &&
    trust !== undefined &&
    visible(trustWords(trust)).length <= SHOWN.trustLineChars
  );
}

function trustWords(trust: Approval['trust']): string {
  return `Trust approves this call and later ones: ${trust?.line ?? ''}`;
}

function elsewhere(approval: Pending): KnownBlock {
  const text = hidesUndeclared(approval)
    ? 'This card hides what the tool does not declare secret. View full input says why; Approve is at its end.'
    : 'This card does not show everything. Open View full input to read it all; Approve is at its end.';
  return footnote(blockId(approval, 'elsewhere'), [plain(text, SHOWN.noteChars)]);
}

function choices(approval: Pending, whole: boolean): KnownBlock {
  const viewing = whole || isAskedInFull(approval) ? [] : [viewButton(approval)];
  if (approval.secondFactor === true) {
    return actions(choicesId(approval), [webButton(approval), ...viewing, moreMenu(approval, false)]);
  }
  if (approval.wants !== undefined) {
    return actions(choicesId(approval), [
      answerButton(approval),
      denyButton(approval),
      ...viewing,
      moreMenu(approval, false),
    ]);
  }
  const trusting = whole && offersTrust(approval);
  return actions(choicesId(approval), [
    ...(whole ? [approveButton(approval)] : []),
    denyButton(approval),
    ...(trusting ? [trustButton(approval)] : []),
    ...viewing,
    moreMenu(approval, trusting),
  ]);
}

export function moreMenu(approval: Pending, trusting: boolean): Overflow {
  const { id } = approval;
  const here = approval.secondFactor !== true;
  // Where several people decide, no one of them alone may change the call or answer in its place.
  const alone = here && approval.progress === undefined && approval.wants === undefined;
  const choices = [
    ...(here ? [choice('Deny with a reason…', 'deny')] : []),
    ...(alone ? [choice('Answer instead…', 'answer')] : []),
    ...(alone && isEditable(approval) ? [choice('Edit input…', 'edit')] : []),
    ...(trusting ? [choice('Trust on other terms…', 'terms')] : []),
    // Without named approvers, no other person could decide.
    ...(approval.rule.approvers.length > 0 ? [choice('Ask someone else…', 'refer')] : []),
    choice('Stop this run', 'stop'),
    choice('What is trusted here', 'trusted'),
  ];
  const kept = NEEDED.filter((verb) => choices.some((one) => one.verb === verb)).slice(0, SLACK.overflowOptions);
  return menu(
    'approval_more',
    choices.filter(({ verb }) => kept.includes(verb)).map(({ text, verb }) => ({ text, value: `${verb} ${id}` })),
  );
}

const choice = (text: string, verb: MenuVerb) => ({ text, verb });

/** A menu holds five choices. The last ones exist elsewhere as well: as `/trust`, and in the menu of every message. */
const NEEDED: readonly MenuVerb[] = ['deny', 'stop', 'answer', 'edit', 'refer', 'terms', 'trusted'];
