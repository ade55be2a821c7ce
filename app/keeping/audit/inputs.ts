import { createHash } from 'node:crypto';
import { canonicalCall } from '../../../interventions/index.ts';
import type { EntryOf } from '../../journal/index.ts';
import { readJson } from '../../json.ts';
import type { TextRef } from '../../records/index.ts';

type Asked = EntryOf<'call-asked'>;

/** A text of an entry. A short text stands in the entry, a long one among the items of the run. */
export function textOf(ref: TextRef, items: readonly string[]): string | undefined {
  return 'text' in ref ? ref.text : items[ref.at];
}

/** Does the digest belong to this input? */
export function isAsShown(text: string, { tool, digest }: Asked): boolean {
  const input = readJson(text);
  // Text that is not JSON cannot be the input that people were shown.
  if (input === undefined) return false;
  const call = canonicalCall({ name: tool, input });
  return createHash('sha256').update(call).digest('hex') === digest;
}
