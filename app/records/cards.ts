import { z } from 'zod';
import { type ApprovalId, type RunId, type Thread, UserId } from './ids.ts';

export const CardReceipt = z.object({ channel: z.string(), ts: z.string() }).readonly();
export type CardReceipt = z.infer<typeof CardReceipt>;

/** The fields in the record of every card. */
export interface OnCard {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  readonly card?: CardReceipt;
}

/** A direct message that told one person of a question. It is repainted when the record changes, as the card is. */
export const Copy = z.object({ to: UserId, card: CardReceipt }).readonly();
export type Copy = z.infer<typeof Copy>;

/**
 * What people are told while a question waits, each at most once. `notice` goes to approvers who do not see the card, at each
 * stage anew; `reminder` to all who can decide; `escalation` to the people of the escalation.
 */
export const Reminder = z.enum(['notice', 'reminder', 'escalation']);
export type Reminder = z.infer<typeof Reminder>;

/** A copy, with the reminder that sent it. */
export type ToldCopy = Copy & { readonly what: Reminder };
