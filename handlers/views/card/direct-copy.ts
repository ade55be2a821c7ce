import type { Approval, ToldCopy } from '../../../app/records/index.ts';
import {
  actions,
  fallback,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  section,
} from '../kit/blocks.ts';
import { linkTo } from '../pages/waiting-view.ts';
import { blockId, listedDeciders, type Pending, type SettledApproval, toolName } from './call.ts';
import { endedNotes } from './card-answer.ts';
import { viewButton } from './card-buttons.ts';
import { directReminder, hasSaidYes, stillOpen } from './reminder.ts';
import { stateWords } from './state-words.ts';

/**
 * What one person was told directly, as the record is now. It says what people decided. What the call would do and how it
 * came out stands on the card, or is read at the press.
 */
export function directCopy(approval: Approval, { to, what }: Pick<ToldCopy, 'to' | 'what'>): MessageView {
  if (approval.status !== 'pending') return ended(approval);
  if (!waitsFor(approval, to)) return waitsForOthers(approval, to);
  return directReminder(approval, what);
}

function ended(approval: SettledApproval): MessageView {
  const { sign, state } = stateWords(decided(approval));
  const { id, tool, requester, card, thread, status } = approval;
  const line = mrkdwn`*${state}* · \`${toolName(tool)}\`, asked by ${mention(requester)}.`;
  const notes = endedNotes(approval);
  // As on the card: an expired or withdrawn question has no button to read it.
  const isViewed = status !== 'expired' && status !== 'cancelled';
  return {
    text: fallback(join([line, ...notes], ' ')),
    blocks: [
      section(blockId(approval, 'copy'), join([{ mrkdwn: `:${sign}:` }, line, ...linkTo(card, thread)], ' ')),
      footnote(blockId(approval, 'print'), notes),
      ...(isViewed ? [actions(`waiting:${id}:view`, [viewButton(approval)])] : []),
    ],
  };
}

/** Leaves out what became of the call after its yes. */
function decided(approval: SettledApproval): SettledApproval {
  return 'outcome' in approval ? { ...approval, outcome: { type: 'ran', ms: 0 } } : approval;
}

/** Does the question still wait for this person? Either one person decides, or this person's stage has come. */
function waitsFor({ progress, requester, ...approval }: Pending, to: ToldCopy['to']): boolean {
  if (progress === undefined) return true;
  const isTheirTurn = progress.approvers.some((approver) => (approver === 'requester' ? requester : approver) === to);
  return isTheirTurn && !hasSaidYes({ ...approval, requester, progress }, to);
}

function waitsForOthers(approval: Pending, to: ToldCopy['to']): MessageView {
  const { id, tool, requester, expiresAtMs, card, thread } = approval;
  const said: readonly Mrkdwn[] = hasSaidYes(approval, to) ? [mrkdwn`You approved.`] : [];
  const others = listedDeciders(stillOpen(approval));
  const line = mrkdwn`\`${toolName(tool)}\`, asked by ${mention(requester)}, waits for ${others}, until ${moment(expiresAtMs)}.`;
  return {
    text: fallback(join([line, ...said], ' ')),
    blocks: [
      section(blockId(approval, 'copy'), join([line, ...said, ...linkTo(card, thread)], ' ')),
      actions(`waiting:${id}:view`, [viewButton(approval)]),
    ],
  };
}
