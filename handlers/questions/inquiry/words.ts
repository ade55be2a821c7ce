import type { Inquiry, UserId } from '../../../app/records/index.ts';
import { type Mrkdwn, mention, moment, mrkdwn, type QuestionAnswers, toolName, youOr } from '../../views/index.ts';

/** The answers to people about what a tool server asked. */

export const INQUIRY_ANSWERS: QuestionAnswers<Inquiry> = {
  answered: settledByYou,
  before: settledBefore,
  over: inquiryOver,
  notYours: ({ requester }) =>
    mrkdwn`Only ${mention(requester)}, who asked for this, can answer the tool server. Nothing changed.`,
};

export const NO_FORM = mrkdwn`This form cannot be shown in Slack, so the question can only be declined. Nothing has changed.`;

function settledByYou({ standing, server }: Inquiry): Mrkdwn {
  const name = toolName(server);
  return standing.status === 'answered'
    ? mrkdwn`Your answer went to the tool server \`${name}\`.`
    : mrkdwn`You declined. The tool server \`${name}\` is told so.`;
}

function settledBefore({ standing }: Inquiry, reader: UserId): Mrkdwn {
  if (standing.status !== 'answered' && standing.status !== 'declined') return mrkdwn`Nothing has changed.`;
  const verb = standing.status === 'answered' ? 'answered' : 'declined';
  return mrkdwn`${youOr(standing.by, reader)} already ${verb} this, ${moment(standing.atMs)}. Your press changed nothing.`;
}

function inquiryOver({ standing }: Inquiry): Mrkdwn {
  return standing.status === 'expired'
    ? mrkdwn`Nobody answered in time, so nothing was sent to the tool server.`
    : mrkdwn`This question was withdrawn: the call ended, or the tool server took it back. Nothing was sent.`;
}
