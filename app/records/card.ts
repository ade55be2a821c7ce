import type { Approval, ListCard } from './approval.ts';
import type { Doubt } from './doubt.ts';
import type { Inquiry } from './inquiry.ts';

/** A message with buttons, by what it asks. */
export type Card =
  | { readonly kind: 'approval'; readonly asks: Approval }
  | { readonly kind: 'list'; readonly asks: ListCard }
  | { readonly kind: 'inquiry'; readonly asks: Inquiry }
  | { readonly kind: 'doubt'; readonly asks: Doubt };
