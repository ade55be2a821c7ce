import { fallback, type MessageView, mrkdwn, section } from '../kit/blocks.ts';

/** What is left of a card whose approval the store has lost. */
export function lostCard(): MessageView {
  const line = mrkdwn`:question: *No longer on record.* My store was emptied or set back to an older state, so this request is gone. It cannot be decided, and nothing will run on it. If the agent still needs it, it asks again.`;
  return { text: fallback(line), blocks: [section('lost', line)] };
}
