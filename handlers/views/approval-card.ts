import type { Approval } from '../../app/records.ts';
import { fallback, join, type MessageView, type Mrkdwn, mention, mrkdwn, prose, section } from './blocks.ts';
import { approvedCall, blockId, type Granted, toolName } from './call.ts';
import { answerBlocks } from './card-answer.ts';
import { questionBlocks } from './card-question.ts';
import { SHOWN } from './limits.ts';
import { cutMiddle } from './text.ts';
import { outcomeText } from './wording.ts';

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
      ...(approval.status === 'pending' ? questionBlocks(approval) : answerBlocks(approval)),
    ],
  };
}

/** Read aloud, one sentence must not run into the next. */
function spoken(summary: string): string {
  const text = cutMiddle(summary, SHOWN.spokenChars);
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}

interface StateWords {
  readonly mark: Mrkdwn;
  readonly state: string;
}

/** The word says it all; the sign only helps the eye. */
function stateWords(approval: Approval): StateWords {
  switch (approval.status) {
    case 'pending':
      return approval.wants === undefined
        ? { mark: { mrkdwn: ':lock:' }, state: 'Approval needed' }
        : { mark: { mrkdwn: ':speech_balloon:' }, state: 'Answer needed' };
    case 'approved':
    case 'trusted':
      return { mark: { mrkdwn: decidedMark(approval.outcome.type) }, state: decidedWord(approval) };
    case 'denied':
      return { mark: { mrkdwn: ':no_entry:' }, state: 'Denied' };
    case 'answered':
      return { mark: { mrkdwn: ':speech_balloon:' }, state: 'Answered' };
    case 'expired':
      return { mark: { mrkdwn: ':hourglass:' }, state: 'Expired' };
    case 'cancelled':
      return { mark: { mrkdwn: ':octagonal_sign:' }, state: 'Cancelled' };
  }
}

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
    case 'answered':
      return mrkdwn`By ${mention(approval.decision.by)}. It did not run.`;
    case 'expired':
      return mrkdwn`Nobody answered in time. It did not run.`;
    case 'cancelled':
      return mrkdwn`It did not run.`;
  }
}
