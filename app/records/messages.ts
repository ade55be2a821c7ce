import { z } from 'zod';
import { Thread, UserId } from './ids.ts';

/** A file as a message names it. Its content is fetched when the agent is to see it. */
export const MessageFile = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Absent in a shared channel, where Slack at first gives only the file's id. */
    url: z.string().optional(),
    bytes: z.number().optional(),
    /** The address of the same picture in a smaller size. */
    smallerUrl: z.string().optional(),
  })
  .readonly();
export type MessageFile = z.infer<typeof MessageFile>;

/** A message that a person handed on. Its words are not the person's, and only the names of its files are kept. */
export const Forwarded = z
  .object({
    /** Absent where Slack names no person, as of a message of an app. */
    by: UserId.optional(),
    text: z.string(),
    files: z.array(z.string()).readonly().optional(),
  })
  .readonly();
export type Forwarded = z.infer<typeof Forwarded>;

/** What a person had open in Slack beside the app. It gives no access to that place. */
export const Sight = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['channel', 'canvas', 'list']), id: z.string() }),
    z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  ])
  .readonly();
export type Sight = z.infer<typeof Sight>;

/** A person's message that waits in the inbox for the agent. */
export const InboxMessage = z
  .object({
    thread: Thread,
    user: UserId,
    /** The person's own workspace, which differs from the thread's in shared channels. */
    userTeam: z.string().optional(),
    ts: z.string(),
    text: z.string(),
    files: z.array(MessageFile).readonly().optional(),
    forwarded: z.array(Forwarded).readonly().optional(),
    /** What the person had open while writing. Slack says it only of messages to the app. */
    sees: z.array(Sight).readonly().optional(),
    /** Others whose words it gives the agent: by *Ask again*, who steered the call; by *Ask about this* or a forward, who wrote the message. */
    alsoSteeredBy: z.array(UserId).readonly().optional(),
  })
  .readonly();
export type InboxMessage = z.infer<typeof InboxMessage>;
