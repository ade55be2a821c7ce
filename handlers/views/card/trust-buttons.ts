import type { Button, ContextBlock } from '@slack/types';
import type { TrustId, TrustOver } from '../../../app/records/index.ts';
import { button, footnote, type Mrkdwn, mention, moment, mrkdwn } from '../kit/blocks.ts';
import type { ButtonId } from '../kit/buttons.ts';
import { cutMiddle } from '../kit/text.ts';

type UntrustId = Extract<ButtonId, `trust_end${string}`>;

/** Ends one trust. It stands on a card, below a call that ran on the trust, and in a list. */
export function untrustButton(action: UntrustId, trust: TrustId, what: string): Button {
  const label = `Stop trusting ${cutMiddle(what, 40)}: it asks again`;
  return button({ action, text: 'Stop trusting', label, value: trust });
}

/** Stands in the place of the button afterwards. */
export function trustEndedNote(id: string, over: TrustOver): ContextBlock {
  return footnote(id, [trustEndedWords(over)]);
}

export function trustEndedWords({ by, atMs }: TrustOver): Mrkdwn {
  return by === undefined
    ? mrkdwn`Trust ended · ${moment(atMs)}`
    : mrkdwn`Trust ended by ${mention(by)} · ${moment(atMs)}`;
}
