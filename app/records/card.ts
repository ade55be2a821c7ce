import type { Approval, ListCard } from './approval.ts';
import type { Doubt } from './doubt.ts';
import type { Inquiry } from './inquiry.ts';

/** A message with buttons, by what it asks. */
export type Card =
  | { readonly kind: 'approval'; readonly asks: Approval }
  | { readonly kind: 'list'; readonly asks: ListCard }
  | Question;

/** What is asked besides approvals. Its card is painted once, when it is settled. */
export type Question =
  | { readonly kind: 'inquiry'; readonly asks: Inquiry }
  | { readonly kind: 'doubt'; readonly asks: Doubt };
