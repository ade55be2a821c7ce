import { createHash } from 'node:crypto';
import { canonicalCall, type Json } from '../../interventions/index.ts';
import type { Entry } from '../journal/entries.ts';

type Asked = Extract<Entry, { type: 'call-asked' }>;

/** The input people were shown: short ones stand in the entry, long ones among the run's items. */
export function inputOf({ input }: Asked, items: readonly string[]): string | undefined {
  return 'text' in input ? input.text : items[input.at];
}

/** Is the stored input the one that the digest is over? */
export function isAsShown(asked: Asked, items: readonly string[]): boolean {
  const text = inputOf(asked, items);
  if (text === undefined) return false;
  try {
    const input: Json = JSON.parse(text);
    return (
      createHash('sha256')
        .update(canonicalCall({ name: asked.tool, input }))
        .digest('hex') === asked.digest
    );
  } catch {
    return false;
  }
}
