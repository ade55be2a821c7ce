import type { z } from 'zod';
import { DOUBT, type Doubt } from './doubt.ts';
import { INQUIRY } from './inquiry.ts';
import type { EntryOfKind, FieldsOf, RecordOf } from './kind.ts';

export * from './doubt.ts';
export * from './inquiry.ts';
export { entry } from './kind.ts';

/** The kinds of questions besides approvals. Their cards are painted once, when the question is settled. */
export const QUESTIONS = [DOUBT, INQUIRY] as const;

type Kind = (typeof QUESTIONS)[number];
export type QuestionKind = Kind['kind'];
type KindOf<K extends QuestionKind> = Extract<Kind, { readonly kind: K }>;

export const QUESTION_ENTRIES = QUESTIONS.flatMap(({ entries }): readonly Kind['entries'][number][] => entries);
export type QuestionEntry = z.infer<Kind['entries'][number]>;
export type QuestionEntryOf<K extends QuestionKind, What extends string> = EntryOfKind<KindOf<K>, What>;
export type QuestionFields<K extends QuestionKind> = FieldsOf<KindOf<K>>;
export type QuestionStanding<K extends QuestionKind> = ReturnType<KindOf<K>['standing']>;

export type QuestionRecords = { [K in QuestionKind]: K extends 'doubt' ? Doubt : RecordOf<KindOf<K>> };
export type QuestionRecord = {
  [K in QuestionKind]: { readonly kind: K; readonly asks: QuestionRecords[K] };
}[QuestionKind];
