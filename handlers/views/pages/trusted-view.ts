import type { KnownBlock, ModalView } from '@slack/types';
import type { StandingTrust } from '../../../app/records/index.ts';
import { listBlocks, listView } from '../card/list/list.ts';
import { untrustButton } from '../card/trust-buttons.ts';
import {
  actions,
  channelLink,
  footnote,
  join,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  plain,
  prose,
} from '../kit/blocks.ts';
import { SHORTCUT } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { count } from '../words/wording.ts';
import { linkToThread } from './waiting-view.ts';

/** The same list in a view. Each row has a button that ends the trust. */
export function trustedModal(trusts: readonly StandingTrust[]): ModalView {
  return {
    type: 'modal',
    callback_id: SHORTCUT.trust,
    title: plain(TRUSTED_TITLE, SLACK.modalTitleChars),
    close: plain('Close', SLACK.modalTitleChars),
    private_metadata: '',
    blocks: [
      ...listBlocks({
        id: 'trusted',
        head: headline(trusts.length, 'thread'),
        items: trusts,
        most: SHOWN.trusts,
        row: (trust) => [
          ...row(trust, 'thread'),
          actions(`trust:${trust.id}:end`, [untrustButton('trust_end_listed', trust.id, trust.tool)]),
        ],
      }),
      footnote('trusted:how', [mrkdwn`To trust a tool here, mention me in the thread with \`trust &lt;tool&gt;\`.`]),
    ],
  };
}

export const TRUSTED_TITLE = 'Trust in this thread';

export type TrustedPlace = 'thread' | 'channel';

/** The trusts that count here: the line of the card, who gave it, when, and until when. */
export function trustedView(trusts: readonly StandingTrust[], place: TrustedPlace): MessageView {
  const head = headline(trusts.length, place);
  return listView({ id: 'trusted', head, items: trusts, most: SHOWN.trusts, row: (trust) => row(trust, place) });
}

function headline(trusts: number, place: TrustedPlace): Mrkdwn {
  const where = place === 'thread' ? 'in this thread' : 'in this channel, for you, or by you elsewhere';
  const elsewhere =
    place === 'channel' ? mrkdwn` To see what others trust in a thread, mention me there with \`trusted\`.` : mrkdwn``;
  if (trusts === 0) return mrkdwn`Nothing is trusted ${where}. Each tool that needs a yes asks first.${elsewhere}`;
  return mrkdwn`*Trusted ${where}* (${trusts}). These calls run without asking.${elsewhere}`;
}

function row(trust: StandingTrust, place: TrustedPlace): readonly KnownBlock[] {
  return [
    prose(`trust:${trust.id}`, trust.offer.line, SHOWN.trustLineChars),
    footnote(`trust:${trust.id}:print`, [aboutTrust(trust, place)]),
  ];
}

/** Where a trust counts, who gave it, and how often it was used. */
export function aboutTrust(trust: StandingTrust, place?: TrustedPlace): Mrkdwn {
  const { by, givenAtMs, untilMs, uses } = trust;
  const used = uses === 0 ? 'not used yet' : `used ${count(uses, 'time')}`;
  return mrkdwn`${place === 'thread' ? mrkdwn`` : whereTrusted(trust)}Given by ${mention(by)} ${moment(givenAtMs)} · until ${moment(untilMs)} · ${used}`;
}

/**
 * Names the place of a trust for a reader in another place, for whom *this thread* would be wrong. A trust on one input also
 * links to the thread of its card, which shows all of the input.
 */
function whereTrusted({ offer, thread, approval }: StandingTrust): Mrkdwn {
  const link = linkToThread(thread).map((link) => mrkdwn`${link} · `);
  const toThread = offer.scope === 'thread' || (offer.match === 'exact' && approval !== undefined) ? link : [];
  if (offer.scope === 'requester') return join(toThread, '');
  return join([mrkdwn`In ${channelLink(thread.channel)} · `, ...toThread], '');
}
