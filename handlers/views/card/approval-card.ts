import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import {
  channelLink,
  fallback,
  join,
  type Letters,
  letters,
  type MessageView,
  type Mrkdwn,
  mention,
  mrkdwn,
  paragraph,
} from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { outcomeText } from '../words/wording.ts';
import { alsoWrote, approvedCall, blockId, channelApart, spoken, toolName } from './call.ts';
import { answerBlocks } from './card-answer.ts';
import { questionBlocks } from './card-question.ts';
import { stateWords } from './state-words.ts';

/** The card of an approval in each of its states. Only the card of an open question has buttons that decide. */
export function approvalCard(approval: Approval): MessageView {
  const { state } = stateWords(approval);
  const tool = toolName(approval.tool);
  return {
    text: fallback(join([mrkdwn`${state}: ${tool}. ${read(approvedCall(approval))}`, fallbackEnd(approval)], ' ')),
    blocks: [
      headBlock(approval),
      ...(approval.status === 'pending' ? questionBlocks(approval) : answerBlocks(approval)),
    ],
  };
}

/**
 * The state and the sentence people decide about, with the name of the tool beside it. What matters most is bold. A question
 * stands below, because the agent wrote it.
 */
function headBlock(approval: Approval): KnownBlock {
  const { sign, state } = stateWords(approval);
  const call = approvedCall(approval);
  const sentence = call.wants === undefined ? inOneLine(call.summary.trim().replace(/\.$/, '')) : '';
  const [words, channel] = channelApart(call, sentence);
  const said: Letters = { text: words, chars: SHOWN.summaryChars };
  const bold = approval.status === 'pending' ? ({ style: 'bold' } as const) : {};
  return paragraph(blockId(approval, 'head'), [
    { sign },
    ...(approval.status === 'pending' ? [letters(` ${state}`)] : [letters(' '), letters(state, 'bold')]),
    letters(' · '),
    ...(sentence === ''
      ? []
      : [{ ...said, ...bold }, ...(channel === undefined ? [] : [{ channel, ...bold }]), letters(' ')]),
    letters(toolName(call.tool), 'code'),
  ]);
}

const inOneLine = (sentence: string): string =>
  sentence.replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank));

/** For a screen reader: ends the sentence, so that it does not run into the next one. */
function read(call: Approval): Mrkdwn {
  const sentence = spoken(call);
  const [words, channel] = channelApart(call, sentence.replace(/\.$/, ''));
  if (channel !== undefined) return mrkdwn`${words}${channelLink(channel)}.`;
  return mrkdwn`${sentence === '' || /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`}`;
}

const sentences = (lines: readonly Mrkdwn[]): Mrkdwn => mrkdwn`${join(lines, '. ')}.`;

function fallbackEnd(approval: Approval): Mrkdwn {
  switch (approval.status) {
    case 'pending':
      return sentences([mrkdwn`Asked by ${mention(approval.requester)}`, ...alsoWrote(approval)]);
    case 'approved':
    case 'trusted':
      return mrkdwn`By ${mention(approval.decision.by)}. ${outcomeText(approval.outcome)}`;
    case 'denied':
    case 'answered':
      return mrkdwn`By ${mention(approval.decision.by)}. It did not run.`;
    case 'expired':
      return mrkdwn`Nobody answered in time. It did not run.`;
    case 'cancelled':
      return approval.replacedBy === undefined
        ? mrkdwn`It did not run.`
        : mrkdwn`A newer request took its place. It did not run.`;
  }
}
