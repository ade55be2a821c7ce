import type { KnownBlock } from '@slack/types';
import type { Inquiry } from '../../../app/records/index.ts';
import {
  actions,
  button,
  cutMiddle,
  fallback,
  footnote,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  plain,
  quotation,
  SHOWN,
  section,
  toolName,
} from '../../views/index.ts';
import { canAnswer, lookAlikes } from './form.ts';

/** The card of what a tool server asks, in each of its states. The server's words stand in a quotation. */
export function inquiryCard(inquiry: Inquiry): MessageView {
  const { server, tool, message, standing } = inquiry;
  const { mark, state } = STATES[standing.status];
  const id = (part: string): string => `${part}:${inquiry.id}:${standing.status}`;
  return {
    text: fallback(mrkdwn`${state}: the tool server ${toolName(server)} asks. ${ending(inquiry)}`),
    blocks: [
      section(id('head'), mrkdwn`${{ mrkdwn: mark }} *${state}* · \`${toolName(server)}\``),
      footnote(id('about'), [mrkdwn`The tool server asks this while \`${toolName(tool)}\` runs.`]),
      quotation(
        id('message'),
        'In the server’s own words',
        standing.status === 'pending' ? message : cutMiddle(message, SHOWN.summaryChars),
        SHOWN.inquiryChars,
      ),
      ...(standing.status === 'pending' ? choices(inquiry, id) : []),
      footnote(id('print'), [ending(inquiry)]),
    ],
  };
}

/** The word says everything. The sign only helps the eye. */
const STATES: Readonly<Record<Inquiry['standing']['status'], { readonly mark: string; readonly state: string }>> = {
  pending: { mark: ':question:', state: 'A tool server asks' },
  answered: { mark: ':white_check_mark:', state: 'Answered' },
  declined: { mark: ':no_entry:', state: 'Declined' },
  withdrawn: { mark: ':octagonal_sign:', state: 'Withdrawn' },
  expired: { mark: ':hourglass:', state: 'Expired' },
};

export type InquiryButton = 'inquiry_answer' | 'inquiry_decline';
const choice = button<InquiryButton>;

function choices(inquiry: Inquiry, part: (part: string) => string): readonly KnownBlock[] {
  const { id, server } = inquiry;
  const drawable = canAnswer(inquiry);
  const name = cutMiddle(toolName(server), 40);
  const answer = choice({
    action: 'inquiry_answer',
    text: 'Answer…',
    label: `Answer the tool server ${name}`,
    value: id,
    style: 'primary',
  });
  const decline = choice({
    action: 'inquiry_decline',
    text: 'Decline',
    label: `Decline to answer the tool server ${name}`,
    value: id,
  });
  return [
    ...lookAlikes(part('mixed'), inquiry),
    ...(drawable ? [] : [footnote(part('undrawn'), [plain(UNDRAWN, SHOWN.noteChars)])]),
    actions(part('choices'), drawable ? [answer, decline] : [decline]),
  ];
}

const UNDRAWN = 'Its form has parts that cannot be shown in Slack, so it can only be declined here.';

function ending({ standing, requester, expiresAtMs }: Inquiry): Mrkdwn {
  switch (standing.status) {
    case 'pending':
      return mrkdwn`Only ${mention(requester)} can answer, until ${moment(expiresAtMs)}.`;
    case 'answered':
      return mrkdwn`Answered by ${mention(standing.by)} · ${moment(standing.atMs)}`;
    case 'declined':
      return mrkdwn`Declined by ${mention(standing.by)} · ${moment(standing.atMs)}`;
    case 'withdrawn':
      return mrkdwn`Nobody needs to answer any more: the call ended, or the server took it back.`;
    case 'expired':
      return mrkdwn`Nobody answered in time.`;
  }
}
