import type { Approval, ListCard } from './approval.ts';
import type { QuestionRecord } from './questions/index.ts';

/** A message with buttons, by the kind of its question. */
export type Card =
  | { readonly kind: 'approval'; readonly asks: Approval }
  | { readonly kind: 'list'; readonly asks: ListCard }
  | QuestionRecord;
