import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** What a person with access to the file may do to it, as SECURITY.md lists it, and what `verify` says of it. */
export interface Tampering {
  readonly row: string;
  readonly change: (file: DatabaseSync) => void;
  /** Absent: `verify` cannot find it. */
  readonly finds?: RegExp;
}

const Row = z.object({ run: z.string(), position: z.number() });

/** The place of the one item that is like this. */
function itemLike(file: DatabaseSync, like: string): z.infer<typeof Row> {
  return Row.parse(file.prepare('SELECT run, position FROM items WHERE text LIKE ? ORDER BY run LIMIT 1').get(like));
}

function rewriteItem(file: DatabaseSync, like: string, from: string, to: string): void {
  const { run, position } = itemLike(file, like);
  file
    .prepare('UPDATE items SET text = replace(text, ?, ?) WHERE run = ? AND position = ?')
    .run(from, to, run, position);
}

/** The run that waits for a person. */
function openRun(file: DatabaseSync): string {
  const sealed = `SELECT journal FROM entries WHERE text LIKE '%"type":"sealed"%'`;
  const open = file.prepare(
    `SELECT journal FROM entries WHERE substr(journal, 3, 1) = 'r' AND journal NOT IN (${sealed})`,
  );
  return z.object({ journal: z.string() }).parse(open.get()).journal;
}

function lastEntry(file: DatabaseSync, journal: string, like: string): { readonly position: number } {
  const found = file.prepare('SELECT max(position) AS position FROM entries WHERE journal = ? AND text LIKE ?');
  return z.object({ position: z.number() }).parse(found.get(journal, like));
}

export const TAMPERINGS: readonly Tampering[] = [
  {
    row: 'Other words of a person or the model',
    change: (file) => rewriteItem(file, '%"text":"%restart the payments service%"%', 'payments', 'billing'),
    finds: /item 0, which entry 0 brought, is not as it was written/,
  },
  {
    row: 'Another result of a tool',
    change: (file) => rewriteItem(file, '%was restarted%', 'restarted', 'stopped'),
    finds: /item \d+, which entry \d+ brought, is not as it was written/,
  },
  {
    row: 'A removed message, answer or result',
    change: (file) => {
      const { run, position } = itemLike(file, '%was restarted%');
      file.prepare('DELETE FROM items WHERE run = ? AND position = ?').run(run, position);
    },
    finds: /item \d+, which entry \d+ brought, is missing/,
  },
  {
    row: 'The end of an open run, with what it said',
    change: (file) => {
      const run = openRun(file);
      const { position } = lastEntry(file, run, '%"type":"turn-answered"%');
      file.prepare('DELETE FROM entries WHERE journal = ? AND position >= ?').run(run, position);
    },
    finds: /its end was cut off\. 1 of its 2 items came with no entry that is left/,
  },
];
