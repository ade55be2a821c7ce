import { createHash } from 'node:crypto';
import { canonicalCall, type Json } from '../../../interventions/index.ts';
import type { Entry } from '../../journal/index.ts';
import type { TextRef } from '../../records/index.ts';
import { isSealed } from '../../store/index.ts';

type Asked = Extract<Entry, { type: 'call-asked' }>;

/** A text of an entry: short ones stand in it, long ones among the run's items. */
export function textOf(ref: TextRef, items: readonly string[]): string | undefined {
  return 'text' in ref ? ref.text : items[ref.at];
}

/** Is the stored input the one that the digest is over? Nobody can say while it is encrypted. */
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
  } catch {
    return false;
  }
}
