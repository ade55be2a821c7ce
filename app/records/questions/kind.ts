import { z } from 'zod';
import type { OnCard } from '../cards.ts';

/** What each kind of question that is painted once defines. `index.ts` lists the kinds. */
export interface KindOfQuestion {
  readonly kind: string;
  /** The entries `<kind>-asked`, `-posted`, `-painted` and `-settled`. In each, the field named after the kind holds the id. */
  readonly entries: readonly z.ZodObject[];
  /** The state of a question after its `settled` entry. */
  standing(settled: never, atMs: number): { readonly status: string };
}

export const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

export type EntryOfKind<Kind extends KindOfQuestion, What extends string> = Extract<
  z.infer<Kind['entries'][number]>,
  { readonly type: `${Kind['kind']}-${What}` }
>;

/** The fields of the `asked` entry that describe the question. */
export type FieldsOf<Kind extends KindOfQuestion> = Readonly<
  Omit<EntryOfKind<Kind, 'asked'>, 'type' | Kind['kind']> & { call: string; expiresAtMs: number }
>;

/** The record that the question's view draws. */
export type RecordOf<Kind extends KindOfQuestion> = OnCard &
  Omit<FieldsOf<Kind>, 'call'> & { readonly askedAtMs: number; readonly standing: ReturnType<Kind['standing']> };
