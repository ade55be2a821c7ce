import { z } from 'zod';
import { readJson } from '../json.ts';
import { RunId } from '../records/index.ts';
import { readField } from './audit/page.ts';
import type { Readable } from './audit/walk.ts';

/** A run as retention keeps it in a file: the lines of its journal as they were stored, and its items. */
export interface ArchivedRun {
  readonly run: RunId;
  readonly lines: readonly string[];
  readonly items: readonly string[];
}

const FORMAT = 1;
const First = z.object({ archive: z.literal(FORMAT), run: RunId });
const Line = z.strictObject({ line: z.string() });
const Item = z.strictObject({ item: z.number(), text: z.string() });

/** The lines of the file. The first says what the file is. */
export function archiveLines({ run, lines, items }: ArchivedRun): readonly string[] {
  return [
    { archive: FORMAT, run },
    ...lines.map((line) => ({ line })),
    ...items.map((text, item) => ({ item, text })),
  ].map((line) => JSON.stringify(line));
}

/** Reads the content of a file back. Returns a sentence for one that is no archive. */
export function readArchive(content: string): ArchivedRun | string {
  const [first = '', ...rest] = content.split('\n').filter((text) => text !== '');
  const head = First.safeParse(readJson(first));
  if (!head.success) return 'its first line is not that of an archive that this version knows';
  const lines: string[] = [];
  const items: string[] = [];
  for (const [position, text] of rest.entries()) {
    const json = readJson(text);
    const line = Line.safeParse(json);
    const item = Item.safeParse(json);
    if (line.success && items.length === 0) lines.push(line.data.line);
    else if (item.success && item.data.item === items.length) items.push(item.data.text);
    else return `line ${position + 2} is neither the next line of its journal nor its next item`;
  }
  return { run: head.data.run, lines, items };
}

/** The run in an archive, for what reads a run from a store. */
export function readableOf({ run, lines, items }: ArchivedRun): Readable {
  const entries = lines.map((text) => ({ id: String(readField(text, 'id')), text }));
  return {
    journals: async () => [],
    read: async (journal, from = 0) => ({
      entries: journal === run ? entries.slice(from) : [],
      version: journal === run ? entries.length : 0,
      nowMs: 0,
    }),
    readItems: async (name, from = 0) => (name === run ? items.slice(from) : []),
  };
}
