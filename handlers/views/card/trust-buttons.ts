import type { Button, ContextBlock } from '@slack/types';
import type { TrustId } from '../../../app/records/index.ts';
import { button, footnote, mention, moment, mrkdwn } from '../kit/blocks.ts';
import type { ButtonId } from '../kit/buttons.ts';
import { cutMiddle } from '../kit/text.ts';

type UntrustId = Extract<ButtonId, `trust_end${string}`>;

/** Ends one trust. It stands on a card, below a call that ran on the trust, and in a list. */
export function untrustButton(action: UntrustId, trust: TrustId, what: string): Button {
  const label = `Stop trusting ${cutMiddle(what, 40)}: it asks again`;
  return button({ action, text: 'Stop trusting', label, value: trust });
}

/** Stands in the place of the button afterwards. */
export function trustEndedNote(id: string, by: string, atMs: number): ContextBlock {
  return footnote(id, [mrkdwn`Trust ended by ${mention(by)} · ${moment(atMs)}`]);
}
