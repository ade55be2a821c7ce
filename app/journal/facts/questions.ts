import { z } from 'zod';
import {
  type ApprovalId,
  QUESTION_ENTRIES,
  QUESTIONS,
  type QuestionEntry,
  type QuestionKind,
} from '../../records/index.ts';

/** Entries of the questions whose card is painted once, when the question is settled. */

const TYPES: ReadonlySet<string> = new Set(QUESTION_ENTRIES.map(({ shape }) => shape.type.value));
const ENTRY = z.union(QUESTION_ENTRIES);

export interface QuestionName {
  readonly kind: QuestionKind;
  readonly id: ApprovalId;
}

export function isOfQuestion<Entry extends { readonly type: string }>(
  entry: Entry,
): entry is Extract<Entry, QuestionEntry> {
  return TYPES.has(entry.type);
}

type What = 'asked' | 'posted' | 'painted' | 'settled';
export type EntryThat<Does extends What> = Extract<QuestionEntry, { readonly type: `${string}-${Does}` }>;

export function isEntryThat<Does extends What>(entry: QuestionEntry, does: Does): entry is EntryThat<Does> {
  return entry.type.endsWith(`-${does}`);
}

export function questionIn(entry: QuestionEntry): QuestionName {
  const named: Partial<Record<QuestionKind, ApprovalId>> = entry;
  for (const { kind } of QUESTIONS) {
    const id = named[kind];
    if (id !== undefined) return { kind, id };
  }
  throw new Error(`The entry ${entry.type} names no question. This is a fault of the bot: report it.`);
}

/** Throws when the fields do not fit the entry. */
export function questionEntry({ kind, id }: QuestionName, does: What, fields: object = {}): QuestionEntry {
  return ENTRY.parse({ type: `${kind}-${does}`, [kind]: id, ...fields });
}
