import { z } from 'zod';
import { Thread, UserId } from './ids.ts';

/** A file as a message names it. What it holds is fetched when the agent is to see it. */
export const MessageFile = z
  .object({
    id: z.string(),
    name: z.string(),
    /** In a shared channel Slack first says only that there is one. */
    url: z.string().optional(),
    bytes: z.number().optional(),
  })
  .readonly();
export type MessageFile = z.infer<typeof MessageFile>;

/** What a person had open in Slack beside the app. It says where they look, and lets nobody look there. */
export const Sight = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['channel', 'canvas', 'list']), id: z.string() }),
    z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  ])
  .readonly();
export type Sight = z.infer<typeof Sight>;

/** A person's message as it waits to be read by the agent. */
export const InboxMessage = z
  .object({
    thread: Thread,
    user: UserId,
    /** Whose workspace the person belongs to; differs in shared channels. */
    userTeam: z.string().optional(),
    ts: z.string(),
    text: z.string(),
    files: z.array(MessageFile).readonly().optional(),
    /** While they wrote; said of messages to the app alone. */
    sees: z.array(Sight).readonly().optional(),
  })
  .readonly();
export type InboxMessage = z.infer<typeof InboxMessage>;
