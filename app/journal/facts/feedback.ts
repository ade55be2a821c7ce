import { z } from 'zod';
import { UserId } from '../../records/index.ts';

/** What people think of an answer. It changes nothing; it is on record. */

export const Opinion = z.enum(['good', 'bad']);
export type Opinion = z.infer<typeof Opinion>;

export const FEEDBACK_ENTRIES = [
  /** `about` is the key of the post. Somebody may change their mind: the newest counts. */
  z.object({ type: z.literal('feedback-given'), about: z.string(), by: UserId, opinion: Opinion }),
] as const;
