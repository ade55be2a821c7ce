import type { Message } from '../../interventions/index.ts';
import type { InboxMessage } from '../records.ts';

/**
 * A person's message as the model is shown it. Several people may write in one thread, so each says who it is; the name
 * is the id that the signed delivery carried.
 */
export function personMessage({ user, text }: InboxMessage): Message {
  return { role: 'user', content: [{ type: 'text', text: `<@${user}>: ${text}` }] };
}
