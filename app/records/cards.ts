import { z } from 'zod';
import { UserId } from './ids.ts';

export const CardReceipt = z.object({ channel: z.string(), ts: z.string() }).readonly();
export type CardReceipt = z.infer<typeof CardReceipt>;

/** What one person was told of a question in their own conversation with the bot. It follows the record, as the card does. */
export const Copy = z.object({ to: UserId, card: CardReceipt }).readonly();
export type Copy = z.infer<typeof Copy>;

/** And on what occasion. */
export type ToldCopy = Copy & { readonly what: 'notice' | 'reminder' | 'escalation' };
