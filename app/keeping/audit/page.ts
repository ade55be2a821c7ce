import { findBreak } from '../../journal/index.ts';
import { readJson } from '../../json.ts';
import type { JournalPage } from '../../store/index.ts';

/** Checks a journal as a chain of lines, whatever they say. `undefined` when each line stands on the one before it. */
export function brokenChain({ entries, version }: Pick<JournalPage, 'entries' | 'version'>): string | undefined {
  if (entries.length !== version) return `${version - entries.length} of its ${version} entries are missing`;
  const relabelled = entries.findIndex(({ id, text }) => readField(text, 'id') !== id);
  if (relabelled >= 0) return `entry ${relabelled} is not stored under its own id, so it was altered`;
  const at = findBreak(entries.map(({ text }) => text));
  if (at === undefined) return undefined;
  const { id = '', text = '' } = entries[at] ?? {};
  if (at === 0)
    return `entry 0 (${id}) is not a beginning: it was altered, or what came before it was removed or moved`;
  const parent = entries.findIndex((_, position) => findBreak([text], entries[position]?.text) === undefined);
  if (parent >= 0) return `entry ${at} (${id}) stands on entry ${parent}: entries were reordered or removed`;
  return `entry ${at} (${id}) does not stand on entry ${at - 1}: that one was altered, or entries between were removed`;
}

/** Returns `undefined` for a line that cannot be read. */
export function readField(text: string, name: string): unknown {
  const line = readJson(text);
  return typeof line === 'object' && line !== null ? Reflect.get(line, name) : undefined;
}
