import type { RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { TextRef } from '../records/index.ts';

/** Reads the items of a run from a position on. */
export type ReadItems = (from: number) => Promise<readonly string[]>;

export interface KeptTexts {
  readonly input: string;
  readonly shown: string | undefined;
}

export interface Kept {
  readonly refs: { readonly input: TextRef; readonly shown?: TextRef };
  readonly items: readonly string[];
}

/** Decides for each text whether it is kept in the entry or as a new item. */
export function keepTexts({ items: end }: Pick<RunState, 'items'>, { input, shown }: KeptTexts): Kept {
  const items: string[] = [];
  const put = (text: string): TextRef => {
    if (text.length <= LIMITS.inlineInputChars) return { text };
    items.push(text);
    return { at: end + items.length - 1 };
  };
  const refs = { input: put(input), ...(shown === undefined ? {} : { shown: put(shown) }) };
  return { refs, items };
}

/** Looks up the texts that are kept as items. */
export async function lookUp(
  items: ReadItems,
  texts: readonly (TextRef | undefined)[],
): Promise<(at: number) => string | undefined> {
  const long = new Map<number, string>();
  for (const ref of texts) {
    if (ref === undefined || 'text' in ref) continue;
    const [text] = await items(ref.at);
    if (text !== undefined) long.set(ref.at, text);
  }
  return (at) => long.get(at);
}
