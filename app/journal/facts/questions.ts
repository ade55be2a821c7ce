import type { ApprovalId, CardReceipt } from '../../records/index.ts';
import { DOUBT_ENTRIES, type DoubtEntry } from './doubts.ts';
import { INQUIRY_ENTRIES, type InquiryEntry } from './inquiries.ts';

/** The questions whose card is painted once, when they are settled. */

export const QUESTION_ENTRIES = [...DOUBT_ENTRIES, ...INQUIRY_ENTRIES] as const;
export type QuestionEntry = DoubtEntry | InquiryEntry;

export interface QuestionName {
  readonly kind: 'doubt' | 'inquiry';
  readonly id: ApprovalId;
}

export function isOfQuestion<Entry extends object>(entry: Entry): entry is Extract<Entry, QuestionEntry> {
  return 'doubt' in entry || 'inquiry' in entry;
}

export function questionIn(entry: QuestionEntry): QuestionName {
  return 'doubt' in entry ? { kind: 'doubt', id: entry.doubt } : { kind: 'inquiry', id: entry.inquiry };
}

export function postedEntry({ kind, id }: QuestionName, card: CardReceipt): QuestionEntry {
  return kind === 'doubt' ? { type: 'doubt-posted', doubt: id, card } : { type: 'inquiry-posted', inquiry: id, card };
}

export function paintedEntry({ kind, id }: QuestionName): QuestionEntry {
  return kind === 'doubt' ? { type: 'doubt-painted', doubt: id } : { type: 'inquiry-painted', inquiry: id };
}

/** It ended, and no person answered it. */
export function endedEntry({ kind, id }: QuestionName, how: 'expired' | 'withdrawn'): QuestionEntry {
  return kind === 'doubt' ? { type: 'doubt-settled', doubt: id, how } : { type: 'inquiry-settled', inquiry: id, how };
}
