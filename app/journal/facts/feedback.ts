import { z } from 'zod';
import { UserId } from '../../records/index.ts';

/** What people think of an answer. It is kept on record, and changes nothing in the run. */

export const Opinion = z.enum(['good', 'bad']);
export type Opinion = z.infer<typeof Opinion>;

export const FEEDBACK_ENTRIES = [
  /** `about` is the key of the post. A person's newest opinion counts. */
  z.object({ type: z.literal('feedback-given'), about: z.string(), by: UserId, opinion: Opinion }),
] as const;
