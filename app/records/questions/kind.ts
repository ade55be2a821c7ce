import { z } from 'zod';
import type { OnCard } from '../cards.ts';

/** What a kind of question that is painted once lays down. `index.ts` is the table of them. */
export interface KindOfQuestion {
  readonly kind: string;
  /** The entries `asked`, `posted`, `painted` and `settled` with the kind before them, in which the kind names the id. */
  readonly entries: readonly z.ZodObject[];
  /** What its last entry makes of it. */
  standing(settled: never, atMs: number): { readonly status: string };
}

export const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

export type EntryOfKind<Kind extends KindOfQuestion, What extends string> = Extract<
  z.infer<Kind['entries'][number]>,
  { readonly type: `${Kind['kind']}-${What}` }
>;

/** What was asked, in the words of its entry. */
export type FieldsOf<Kind extends KindOfQuestion> = Readonly<
  Omit<EntryOfKind<Kind, 'asked'>, 'type' | Kind['kind']> & { call: string; expiresAtMs: number }
>;

/** The record that its view draws. */
export type RecordOf<Kind extends KindOfQuestion> = OnCard &
  Omit<FieldsOf<Kind>, 'call'> & { readonly askedAtMs: number; readonly standing: ReturnType<Kind['standing']> };
