import { z } from 'zod';
import { type ApprovalId, type RunId, type Thread, UserId } from './ids.ts';

export const CardReceipt = z.object({ channel: z.string(), ts: z.string() }).readonly();
export type CardReceipt = z.infer<typeof CardReceipt>;

/** What the record of every card has. */
export interface OnCard {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly card?: CardReceipt;
}

/** What one person was told of a question in their own conversation with the bot. It follows the record, as the card does. */
export const Copy = z.object({ to: UserId, card: CardReceipt }).readonly();
export type Copy = z.infer<typeof Copy>;

/**
 * What people are told while a question waits, once each: at first those who do not see its card, and those of each later
 * stage when it is their turn; then all who can decide, and later those it is escalated to.
 */
export const Reminder = z.enum(['notice', 'reminder', 'escalation']);
export type Reminder = z.infer<typeof Reminder>;

/** And by which reminder. */
export type ToldCopy = Copy & { readonly what: Reminder };
