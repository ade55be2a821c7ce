import type { Button, ContextBlock } from '@slack/types';
import type { GrantId } from '../../../app/records/index.ts';
import type { ActionId } from '../kit/action-ids.ts';
import { button, footnote, mention, moment, mrkdwn } from '../kit/blocks.ts';
import { cutMiddle } from '../kit/text.ts';

/** Ends one standing yes; on a card, below a call that ran on it, and in a list. */
export function untrustButton(action: ActionId, grant: GrantId, what: string): Button {
  const label = `Stop trusting ${cutMiddle(what, 40)}: it asks again`;
  return button({ action, text: 'Stop trusting', label, value: grant });
}

/** What stands in the place of the button. */
export function trustEndedNote(id: string, by: string, atMs: number): ContextBlock {
  return footnote(id, [mrkdwn`Trust ended by ${mention(by)} · ${moment(atMs)}`]);
}
