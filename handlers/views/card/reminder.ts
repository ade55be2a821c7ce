import type { Approval, Reminder, UserId } from '../../../app/records/index.ts';
import { called, fallback, join, type MessageView, mention, moment, mrkdwn, section } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { linkTo, waitingButtons } from '../pages/waiting-view.ts';
import { listed } from '../words/wording.ts';
import { blockId, deciders, isBarred, summaryBlocks, toolName } from './call.ts';

/** A line that calls people to a waiting question. What the call would do stands on its card. */
export function reminder(approval: Approval, what: 'reminder' | 'escalation'): MessageView {
  const { tool, expiresAtMs, card, thread } = approval;
  const people = what === 'reminder' ? deciders(stillOpen(approval)) : escalatedTo(approval).map(called);
  const line = mrkdwn`${listed(people, 'and')}: \`${toolName(tool)}\` still waits for a decision, until ${moment(expiresAtMs)}.`;
  return {
    text: fallback(line),
    blocks: [
      section('waits', join([line, ...linkTo(card, thread)], ' ')),
      ...summaryBlocks('what', approval, SHOWN.summaryChars),
    ],
  };
}

/**
 * The same for one person, in a direct message. It does not say what the call would do, which may be for its channel alone:
 * a press shows that. The person may not be able to see the card, and can decide from here.
 */
export function directReminder(approval: Approval, what: Reminder): MessageView {
  const { tool, requester, expiresAtMs, card, thread } = approval;
  const waits = what === 'notice' ? 'waits' : 'still waits';
  const line = mrkdwn`\`${toolName(tool)}\`, asked by ${mention(requester)}, ${waits} for your decision, until ${moment(expiresAtMs)}.`;
  return {
    text: fallback(line),
    blocks: [section(blockId(approval, 'copy'), join([line, ...linkTo(card, thread)], ' ')), waitingButtons(approval)],
  };
}

/** The people who can decide, if each of them can be written to and there are not too many. */
export function remindedPeople(approval: Approval): readonly string[] | undefined {
  const { rule, requester, progress } = stillOpen(approval);
  const named = progress?.approvers ?? rule.approvers;
  const approvers = named.map((approver) => (approver === 'requester' ? requester : approver));
  const people = named.length === 0 ? [requester] : approvers.filter((person) => !isBarred(approval, person));
  const all = [...new Set<string>(people)];
  const each = all.length > 0 && all.length <= SHOWN.deciders && all.every((person) => /^[UW][A-Z0-9]+$/.test(person));
  return each ? all : undefined;
}

/** The question as people see it whose yes is still needed. A person who has said yes waits as well. */
export function stillOpen(approval: Approval): Approval {
  const { progress } = approval;
  if (progress === undefined) return approval;
  const approvers = progress.approvers.filter((approver) => !hasSaidYes(approval, approver));
  if (approvers.length === 0) return approval;
  return { ...approval, progress: { ...progress, given: 0, needed: progress.needed - progress.given, approvers } };
}

export function hasSaidYes({ progress, requester }: Approval, approver: UserId): boolean {
  const person = approver === 'requester' ? requester : approver;
  return progress?.yeses.some(({ by }) => by === person) === true;
}

function escalatedTo(approval: Approval): readonly UserId[] {
  const to = approval.escalation?.to ?? [];
  const left = to.filter((one) => !hasSaidYes(approval, one) && !isBarred(approval, one));
  return (left.length === 0 ? to : left).slice(0, SHOWN.deciders);
}
