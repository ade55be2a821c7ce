import { createHash } from 'node:crypto';
import { canonicalCall, type Json } from '../../../interventions/index.ts';
import type { Entry } from '../../journal/index.ts';
import type { TextRef } from '../../records/index.ts';
import { isSealed } from '../../store/index.ts';

type Asked = Extract<Entry, { type: 'call-asked' }>;

/** A text of an entry. A short text stands in the entry, a long one among the items of the run. */
export function textOf(ref: TextRef, items: readonly string[]): string | undefined {
  return 'text' in ref ? ref.text : items[ref.at];
}

/** Does the digest belong to the stored input? `sealed` when the input is encrypted and cannot be checked. */
export function isAsShown({ input: ref, tool, digest }: Asked, items: readonly string[]): boolean | 'sealed' {
  const text = textOf(ref, items);
  if (text === undefined) return false;
  if (isSealed(text)) return 'sealed';
  try {
    const input: Json = JSON.parse(text);
    return (
      createHash('sha256')
        .update(canonicalCall({ name: tool, input }))
        .digest('hex') === digest
    );
    // The text is no JSON, so it cannot be the input that people were shown.
  } catch {
    return false;
  }
}
