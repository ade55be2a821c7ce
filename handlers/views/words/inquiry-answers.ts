import type { Inquiry } from '../../../app/records/index.ts';
import { toolName } from '../card/call.ts';
import { type Mrkdwn, mention, moment, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';

/** Every sentence that people are told about what a tool server asked. */

export const INQUIRY_ANSWERS = {
  unknown: mrkdwn`I do not know this question. It may belong to another installation, or be too old. Nothing was sent.`,
  noForm: mrkdwn`This form cannot be shown in Slack, so the question can only be declined. Nothing has changed.`,
} as const;

export function settledByYou({ standing, server }: Inquiry): Mrkdwn {
  const name = toolName(server);
  return standing.status === 'answered'
    ? mrkdwn`Your answer went to the tool server \`${name}\`.`
    : mrkdwn`You declined. The tool server \`${name}\` is told so.`;
}

export function settledBefore({ standing }: Inquiry): Mrkdwn {
  if (standing.status !== 'answered' && standing.status !== 'declined') return mrkdwn`Nothing has changed.`;
  const verb = standing.status === 'answered' ? 'answered' : 'declined';
  return mrkdwn`${mention(standing.by)} already ${verb} this, ${moment(standing.atMs)}. Your press changed nothing.`;
}

export function inquiryOver({ standing }: Inquiry): Mrkdwn {
  return standing.status === 'expired'
    ? mrkdwn`Nobody answered in time, so nothing was sent to the tool server.`
    : mrkdwn`This question was withdrawn: the call ended, or the tool server took it back. Nothing was sent.`;
}

export function notYourInquiry({ requester }: Inquiry): Mrkdwn {
  return mrkdwn`Only ${mention(requester)}, who asked for this, can answer the tool server. Nothing has changed.`;
}

export function misfitting(problem: string): Mrkdwn {
  return mrkdwn`The tool server does not take this answer, so nothing was sent: ${cutMiddle(problem, SHOWN.noteChars)}`;
}
