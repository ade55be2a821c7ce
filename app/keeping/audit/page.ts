import type { z } from 'zod';
import { findBreak, hashLine, readLine, type Stamp } from '../../journal/index.ts';
import { readJson } from '../../json.ts';
import { count } from '../../log.ts';
import { isSealed, type JournalPage } from '../../store/index.ts';

/**
 * Checks a journal as a chain of lines, whatever they say. `undefined` when each line stands on the one before it. The chain
 * ends at the first line that is encrypted, because it is made of readable lines.
 */
export function brokenChain({ entries: all, version }: Pick<JournalPage, 'entries' | 'version'>): string | undefined {
  const lost = version - all.length;
  if (lost !== 0) return `${lost} of its ${count(version, 'entry', 'entries')} ${lost === 1 ? 'is' : 'are'} missing`;
  const sealedFrom = all.findIndex(({ text }) => isSealed(text));
  const entries = sealedFrom < 0 ? all : all.slice(0, sealedFrom);
  const relabelled = entries.findIndex(({ id, text }) => readField(text, 'id') !== id);
  if (relabelled >= 0) return `entry ${relabelled} is not stored under its own id, so it was altered`;
  const at = findBreak(entries.map(({ text }) => text));
  if (at === undefined) return undefined;
  const { id = '', text = '' } = entries[at] ?? {};
  if (at === 0)
    return `entry 0 (${id}) is not a beginning: it was altered, or what came before it was removed or moved`;
  const parent = entries.findIndex(
    (_, position) => findBreak([text], hashLine(entries[position]?.text ?? '')) === undefined,
  );
  if (parent >= 0) return `entry ${at} (${id}) stands on entry ${parent}: entries were reordered or removed`;
  return `entry ${at} (${id}) does not stand on entry ${at - 1}: that one was altered, or entries between were removed`;
}

/** `undefined` for a line that is damaged, encrypted, or of a newer version. */
export function readUnlessDamaged<Body>(schema: z.ZodType<Body>, text: string): (Body & Stamp) | undefined {
  try {
    return readLine(schema, text).entry;
    // Only `audit verify` says why.
  } catch {
    return undefined;
  }
}

/** Returns `undefined` for a line that cannot be read. */
export function readField(text: string, name: string): unknown {
  const line = readJson(text);
  return typeof line === 'object' && line !== null ? Reflect.get(line, name) : undefined;
}
