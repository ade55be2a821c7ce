import { fallback, type MessageView, mrkdwn, section } from '../kit/blocks.ts';

/** What is left of a card whose approval the store has lost. */
export function lostCard(): MessageView {
  const line = mrkdwn`:grey_question: *Not on record any more.* My store has lost this: it was emptied, or set back to before this was asked. So it cannot be decided, and nothing will run on it. If the agent still needs it, it asks again.`;
  return { text: fallback(line), blocks: [section('lost', line)] };
}
