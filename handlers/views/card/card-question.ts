import type { KnownBlock, Overflow } from '@slack/types';
import { isEditable } from '../forms/edit-modal.ts';
import { referredLine } from '../forms/refer-modal.ts';
import { actions, fields, footnote, mention, menu, moment, mrkdwn, plain, quotation } from '../kit/blocks.ts';
import type { MenuVerb } from '../kit/buttons.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { visible } from '../kit/text.ts';
import { listed } from '../words/wording.ts';
import {
  alsoWrote,
  blockId,
  deciders,
  digestLine,
  hidesUndeclared,
  inputBlocks,
  inputNotes,
  type Pending,
  showsWholeInput,
  WHOLE,
  yesesSoFar,
} from './call.ts';
import { answerButton, approveButton, denyButton, trustButton, viewButton, webButton } from './card-buttons.ts';
import { lookedBlocks } from './looked.ts';
import { wantedBlocks } from './wanted.ts';

/** An open question: all of what is asked, and the buttons that decide. */
export function questionBlocks(approval: Pending): readonly KnownBlock[] {
  const whole = showsWholeInput(approval);
  return [
    facts(approval),
    ...alsoWrote(approval).map((line) => footnote(blockId(approval, 'also'), [line])),
    ...reason(approval),
    ...lookedBlocks(approval),
    ...(approval.wants === undefined
      ? inputBlocks(blockId(approval, 'input'), approval.input, WHOLE)
      : wantedBlocks(approval, approval.wants)),
    ...(whole || approval.secondFactor === true || approval.wants !== undefined
      ? trustLine(approval)
      : [elsewhere(approval)]),
    choices(approval, whole),
    footnote(blockId(approval, 'print'), [
      plain(digestLine(approval.digest), SHOWN.noteChars),
      ...referredLine(approval),
      ...inputNotes(approval).map((note) => plain(note, SHOWN.noteChars)),
      ...(isEditable(approval) || approval.wants !== undefined
        ? []
        : [plain('Too long to be edited here.', SHOWN.noteChars)]),
    ]),
  ];
}

function facts(approval: Pending): KnownBlock {
  const [progress] = yesesSoFar(approval);
  const rule =
    approval.secondFactor === true
      ? 'Asks every time, and is decided outside of Slack'
      : approval.effect === 'guarded'
        ? 'Asks every time; it cannot be trusted'
        : approval.wants !== undefined
          ? 'Asks every time: only a person can answer it'
          : 'Asks each time, unless it is trusted';
  const named = approval.ruledBy === undefined ? '' : `${approval.ruledBy.name}: `;
  return fields(blockId(approval, 'facts'), [
    mrkdwn`*Asked by*\n${mention(approval.requester)}`,
    mrkdwn`*Rule*\n${named}${rule}`,
    mrkdwn`*Can decide*\n${listed(deciders(approval), 'or')}`,
    ...(progress === undefined ? [] : [mrkdwn`*Approvals*\n${progress}`]),
    mrkdwn`*Expires*\n${moment(approval.expiresAtMs)}`,
  ]);
}

/** The agent's own words, marked as such, because they are not checked. */
function reason(approval: Pending): readonly KnownBlock[] {
  const said = approval.reason?.trim() ?? '';
  if (said === '') return [];
  return [quotation(blockId(approval, 'reason'), 'In the agent’s own words', said, SHOWN.reasonChars)];
}

function trustLine(approval: Pending): readonly KnownBlock[] {
  if (!mayTrust(approval)) return [];
  return [footnote(blockId(approval, 'trust'), [plain(trustWords(approval.trust), SHOWN.trustLineChars)])];
}

/** No trust is offered where its line would be cut, because a cut line does not say what a press grants. */
function mayTrust({ effect, trust, wants }: Pending): boolean {
  return (
    effect === 'asked' &&
    wants === undefined &&
    trust !== undefined &&
    visible(trustWords(trust)).length <= SHOWN.trustLineChars
  );
}

function trustWords(trust: Pending['trust']): string {
  return `Trust means: ${trust?.line ?? ''}`;
}

function elsewhere(approval: Pending): KnownBlock {
  const text = hidesUndeclared(approval)
    ? 'This card hides what the tool does not declare secret. View full input says why; Approve stands at its end.'
    : 'This card does not show everything. Read it all in View full input; Approve stands at its end.';
  return footnote(blockId(approval, 'elsewhere'), [plain(text, SHOWN.noteChars)]);
}

function choices(approval: Pending, whole: boolean): KnownBlock {
  if (approval.secondFactor === true) {
    return actions(blockId(approval, 'choices'), [
      webButton(approval),
      viewButton(approval),
      moreMenu(approval, false),
    ]);
  }
  if (approval.wants !== undefined) {
    return actions(blockId(approval, 'choices'), [
      answerButton(approval),
      denyButton(approval),
      viewButton(approval),
      moreMenu(approval, false),
    ]);
  }
  const trusting = whole && mayTrust(approval);
  return actions(blockId(approval, 'choices'), [
    ...(whole ? [approveButton(approval)] : []),
    denyButton(approval),
    ...(trusting ? [trustButton(approval)] : []),
    viewButton(approval),
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
