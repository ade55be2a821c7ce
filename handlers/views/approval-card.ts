import type { Button, KnownBlock, Overflow } from '@slack/types';
import type { Approval } from '../../app/records.ts';
import { ACTION, MENU } from './action-ids.ts';
import {
  actions,
  button,
  confirmation,
  fallback,
  fields,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  menu,
  moment,
  mrkdwn,
  plain,
  prose,
  quotation,
  section,
} from './blocks.ts';
import {
  approvedCall,
  changesText,
  deciders,
  digestLine,
  inputBlocks,
  REMINDER,
  showsWholeInput,
  toolName,
  WHOLE,
} from './call.ts';
import { isEditable } from './edit-modal.ts';
import { SHOWN } from './limits.ts';
import { cutMiddle, visible } from './text.ts';
import { trustEndedNote, untrustButton } from './trust-buttons.ts';
import { listed, outcomeText, waited } from './wording.ts';

export { showsWholeInput } from './call.ts';

type Pending = Approval & { readonly status: 'pending' };

/** The whole life of an approval. Buttons that decide exist in one state only. */
export function approvalCard(approval: Approval): MessageView {
  const { mark, state } = stateWords(approval);
  const tool = toolName(approval.tool);
  const summary = approvedCall(approval).summary.trim();
  return {
    text: fallback(join([mrkdwn`${state}: ${tool}. ${spoken(summary)}`, fallbackEnd(approval)], ' ')),
    blocks: [
      section(blockId(approval, 'head'), mrkdwn`${mark} *${state}* · \`${tool}\``),
      ...(summary === '' ? [] : [prose(blockId(approval, 'summary'), summary, SHOWN.summaryChars)]),
      ...(approval.status === 'pending' ? question(approval) : answer(approval)),
    ],
  };
}

/** Read aloud, one sentence must not run into the next. */
function spoken(summary: string): string {
  const text = cutMiddle(summary, SHOWN.spokenChars);
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Slack keeps what it drew for a block id that it has seen, so each painting has its own. */
export function blockId(approval: Approval, part: string): string {
  return `${part}:${approval.id}:${approval.revision}`;
}

interface StateWords {
  readonly mark: Mrkdwn;
  readonly state: string;
}

/** The word says it all; the sign only helps the eye. */
function stateWords(approval: Approval): StateWords {
  switch (approval.status) {
    case 'pending':
      return { mark: { mrkdwn: ':lock:' }, state: 'Approval needed' };
    case 'approved':
    case 'trusted':
      return { mark: { mrkdwn: decidedMark(approval.outcome.type) }, state: decidedWord(approval) };
    case 'denied':
      return { mark: { mrkdwn: ':no_entry:' }, state: 'Denied' };
    case 'expired':
      return { mark: { mrkdwn: ':hourglass:' }, state: 'Expired' };
    case 'cancelled':
      return { mark: { mrkdwn: ':octagonal_sign:' }, state: 'Cancelled' };
  }
}

type Granted = Approval & { readonly status: 'approved' | 'trusted' };

function decidedMark(outcome: Granted['outcome']['type']): string {
  if (outcome === 'waiting' || outcome === 'running') return ':hourglass_flowing_sand:';
  return outcome === 'ran' ? ':white_check_mark:' : ':warning:';
}

function decidedWord({ status, outcome, decision }: Granted): string {
  const plainly = decision.edit === undefined ? 'Approved' : 'Approved with changes';
  const word = status === 'trusted' ? 'Approved and trusted' : plainly;
  return outcome.type === 'unknown' ? `${word}, outcome unknown` : word;
}

function fallbackEnd(approval: Approval): Mrkdwn {
  switch (approval.status) {
    case 'pending':
      return mrkdwn`Asked by ${mention(approval.requester)}.`;
    case 'approved':
    case 'trusted':
      return mrkdwn`By ${mention(approval.decision.by)}. ${outcomeText(approval.outcome)}`;
    case 'denied':
      return mrkdwn`By ${mention(approval.decision.by)}. It did not run.`;
    case 'expired':
      return mrkdwn`Nobody answered in time. It did not run.`;
    case 'cancelled':
      return mrkdwn`It did not run.`;
  }
}

function question(approval: Pending): readonly KnownBlock[] {
  const whole = showsWholeInput(approval);
  return [
    facts(approval),
    ...reason(approval),
    ...inputBlocks(blockId(approval, 'input'), approval.input, WHOLE),
    ...(whole ? trustLine(approval) : [elsewhere(approval)]),
    choices(approval, whole),
    footnote(blockId(approval, 'print'), [
      plain(digestLine(approval.digest), SHOWN.noteChars),
      ...(isEditable(approval) ? [] : [plain('Too long to be edited here.', SHOWN.noteChars)]),
    ]),
  ];
}

function facts(approval: Pending): KnownBlock {
  const risk = approval.effect === 'guarded' ? 'Guarded: asks every time' : 'Asks unless it is trusted';
  return fields(blockId(approval, 'facts'), [
    mrkdwn`*Asked by*\n${mention(approval.requester)}`,
    mrkdwn`*Risk*\n${risk}`,
    mrkdwn`*Can decide*\n${listed(deciders(approval), 'or')}`,
    mrkdwn`*Expires*\n${moment(approval.expiresAtMs)}`,
  ]);
}

/** Its own words, and marked so: nobody has checked them. */
function reason(approval: Pending): readonly KnownBlock[] {
  const said = approval.reason?.trim() ?? '';
  if (said === '') return [];
  return [quotation(blockId(approval, 'reason'), 'In the agent’s own words', said, SHOWN.reasonChars)];
}

function trustLine(approval: Pending): readonly KnownBlock[] {
  if (!mayTrust(approval)) return [];
  return [footnote(blockId(approval, 'trust'), [plain(trustWords(approval.trust), SHOWN.trustLineChars)])];
}

/** A line that was cut would not say exactly what a press grants. */
function mayTrust({ effect, trust }: Pending): boolean {
  return effect === 'asked' && trust !== undefined && visible(trustWords(trust)).length <= SHOWN.trustLineChars;
}

function trustWords(trust: Pending['trust']): string {
  return `Trust means: ${trust?.line ?? ''}`;
}

function elsewhere(approval: Pending): KnownBlock {
  const text = 'This card does not show everything. Read it all in View full input; Approve stands at its end.';
  return footnote(blockId(approval, 'elsewhere'), [plain(text, SHOWN.noteChars)]);
}

function choices(approval: Pending, whole: boolean): KnownBlock {
  const trusting = whole && mayTrust(approval);
  return actions(blockId(approval, 'choices'), [
    ...(whole ? [approveButton(approval)] : []),
    denyButton(approval),
    ...(trusting ? [trustButton(approval)] : []),
    viewButton(approval),
    moreMenu(approval, trusting),
  ]);
}

export function approveButton(approval: Approval): Button {
  const tool = toolName(approval.tool);
  const confirm = confirmation({
    title: `Run ${cutMiddle(tool, 60)}?`,
    text: 'This tool is guarded: what it does may not be possible to undo.',
    yes: 'Approve',
  });
  return button({
    action: ACTION.approve,
    text: 'Approve',
    label: `Approve this one call of ${cutMiddle(tool, 40)}`,
    value: approval.id,
    style: 'primary',
    ...(approval.effect === 'guarded' ? { confirm } : {}),
  });
}

export function denyButton({ id, tool }: Approval): Button {
  const label = `Deny this call of ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: ACTION.deny, text: 'Deny', label, value: id, style: 'danger' });
}

function trustButton({ id, tool }: Approval): Button {
  const label = `Approve and trust ${cutMiddle(toolName(tool), 40)} as the line says`;
  return button({ action: ACTION.trust, text: 'Trust', label, value: id });
}

function viewButton({ id, tool }: Approval): Button {
  const label = `View the full input of ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: ACTION.view, text: 'View full input', label, value: id });
}

function moreMenu(approval: Approval, trusting: boolean): Overflow {
  const { id } = approval;
  return menu(ACTION.more, [
    { text: 'Deny with a reason…', value: `${MENU.deny} ${id}` },
    ...(isEditable(approval) ? [{ text: 'Edit input…', value: `${MENU.edit} ${id}` }] : []),
    ...(trusting ? [{ text: 'Trust on other terms…', value: `${MENU.terms} ${id}` }] : []),
    { text: 'Stop this run', value: `${MENU.stop} ${id}` },
    { text: 'What is trusted here', value: `${MENU.trusted} ${id}` },
  ]);
}

function answer(approval: Exclude<Approval, Pending>): readonly KnownBlock[] {
  const call = approvedCall(approval);
  const input = inputBlocks(blockId(approval, 'input'), call.input, REMINDER);
  const view = actions(blockId(approval, 'view'), [viewButton(approval)]);
  const print = (texts: readonly Mrkdwn[], words: readonly string[] = []): KnownBlock =>
    footnote(blockId(approval, 'print'), [
      ...texts,
      ...[...words, digestLine(call.digest)].map((word) => plain(word, SHOWN.noteChars)),
    ]);

  switch (approval.status) {
    case 'approved':
    case 'trusted': {
      const line = approval.status === 'trusted' ? [`Trusted: ${approval.trust?.line ?? approval.tool}`] : [];
      return [
        ...input,
        endingTrust(approval) ?? view,
        print([decidedBy(approval, 'Approved')], [outcomeText(approval.outcome), ...line, ...changes(approval)]),
        ...trustEnded(approval),
      ];
    }
    case 'denied': {
      const why = approval.decision.reason?.trim() ?? '';
      return [
        ...input,
        view,
        print([decidedBy(approval, 'Denied')], ['It did not run.', ...(why ? [`“${why}”`] : [])]),
      ];
    }
    case 'expired':
      return [
        ...input,
        ...(approval.askedAgain === undefined
          ? [actions(blockId(approval, 'again'), [againButton(approval)])]
          : [footnote(blockId(approval, 'again'), [mrkdwn`Asked again by ${mention(approval.askedAgain.by)}.`])]),
        print([mrkdwn`Nobody answered by ${moment(approval.expiresAtMs)}. It did not run.`]),
      ];
    case 'cancelled': {
      const who = approval.by === undefined ? mrkdwn`Cancelled.` : mrkdwn`Cancelled by ${mention(approval.by)}.`;
      return [
        ...input,
        print([who, mrkdwn`It did not run.`], approval.cause.trim() === '' ? [] : [approval.cause.trim()]),
      ];
    }
  }
}

function changes(approval: Granted): readonly string[] {
  const { edit } = approval.decision;
  return edit === undefined ? [] : [changesText(approval, edit.input)];
}

function againButton({ id, tool }: Approval): Button {
  const label = `Ask the agent again for ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: ACTION.again, text: 'Ask again', label, value: id });
}

function endingTrust(approval: Granted): KnownBlock | undefined {
  const { grant } = approval.decision;
  if (approval.status !== 'trusted' || grant === undefined || approval.trustEnded !== undefined) return undefined;
  const ending = untrustButton(ACTION.untrust, grant, toolName(approval.tool));
  return actions(blockId(approval, 'view'), [ending, viewButton(approval)]);
}

function trustEnded(approval: Granted): readonly KnownBlock[] {
  const { trustEnded: ended } = approval;
  return ended === undefined ? [] : [trustEndedNote(blockId(approval, 'ended'), ended.by, ended.atMs)];
}

function decidedBy(approval: Granted | (Approval & { readonly status: 'denied' }), verb: string): Mrkdwn {
  const { by, atMs, edit } = approval.decision;
  const how = edit === undefined ? verb : `${verb} with changes`;
  return mrkdwn`${how} by ${mention(by)} · ${moment(atMs)} · ${waited(atMs - approval.askedAtMs)}`;
}
