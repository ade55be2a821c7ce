import type { KnownBlock } from '@slack/types';
import type { Grant } from '../../app/records.ts';
import { footnote, type MessageView, type Mrkdwn, mention, moment, mrkdwn, prose } from './blocks.ts';
import { SHOWN } from './limits.ts';
import { listView } from './list.ts';
import { count } from './wording.ts';

export type TrustedPlace = 'thread' | 'channel';

/** What runs here without a question: the line of the card, who gave it, when, and until when. */
export function trustedView(grants: readonly Grant[], place: TrustedPlace): MessageView {
  return listView({ id: 'trusted', head: headline(grants.length, place), items: grants, most: SHOWN.grants, row });
}

function headline(grants: number, place: TrustedPlace): Mrkdwn {
  const where = place === 'thread' ? 'in this thread' : 'in this channel, or for you';
  const elsewhere =
    place === 'channel' ? mrkdwn` Each thread has a list of its own: mention me in it with \`trusted\`.` : mrkdwn``;
  if (grants === 0) return mrkdwn`Nothing is trusted ${where}. Every tool that is not open asks first.${elsewhere}`;
  return mrkdwn`*Trusted ${where}*: ${count(grants, 'rule')} by which calls run without asking.${elsewhere}`;
}

function row(grant: Grant): readonly KnownBlock[] {
  const used = grant.uses === 0 ? 'not used yet' : `used ${count(grant.uses, 'time')}`;
  return [
    prose(`trust:${grant.id}`, grant.offer.line, SHOWN.trustLineChars),
    footnote(`trust:${grant.id}:print`, [
      mrkdwn`Given by ${mention(grant.by)} ${moment(grant.givenAtMs)} · until ${moment(grant.untilMs)} · ${used}`,
    ]),
  ];
}
