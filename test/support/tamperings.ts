import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { hashLine, NO_HEAD } from '../../app/journal/line/line.ts';

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

const REMOVALS = ['entries WHERE journal', 'items WHERE run', 'approvals WHERE run', 'threads WHERE run'].map(
  (where) => `DELETE FROM ${where} = ?`,
);
const COPY_ENTRIES =
  'INSERT INTO entries (journal, position, id, text) SELECT ?, position, id, replace(text, ?, ?) FROM entries WHERE journal = ?';
const COPY_ITEMS = 'INSERT INTO items (run, position, text) SELECT ?, position, text FROM items WHERE run = ?';

/** As a person does who knows how the chain is made. */
function chainAnew(file: DatabaseSync, journal: string): void {
  let prev = NO_HEAD;
  for (const row of file
    .prepare('SELECT position, text FROM entries WHERE journal = ? ORDER BY position')
    .all(journal)) {
    const { position, text: before } = z.object({ position: z.number(), text: z.string() }).parse(row);
    const text = before.replace(/"prev":"[^"]*"/, `"prev":"${prev}"`);
    file.prepare('UPDATE entries SET text = ? WHERE journal = ? AND position = ?').run(text, journal, position);
    prev = hashLine(text);
  }
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
  {
    row: 'A removed open run',
    change: (file) => {
      const run = openRun(file);
      for (const sql of REMOVALS) file.prepare(sql).run(run);
    },
    finds: /was removed\. The journal of its workspace has its beginning/,
  },
  {
    row: 'An invented run',
    change: (file) => {
      const run = openRun(file);
      const invented = `${run.slice(0, -1)}${run.endsWith('A') ? 'B' : 'A'}`;
      file.prepare(COPY_ENTRIES).run(invented, run, invented, run);
      file.prepare(COPY_ITEMS).run(invented, run);
      chainAnew(file, invented);
    },
    finds: /the model answered in it, and the journal of its workspace does not have its beginning/,
  },
  {
    row: 'The removed end of a trust',
    change: (file) => {
      const revoked = file.prepare(`SELECT journal, position FROM entries WHERE text LIKE '%"type":"grant-revoked"%'`);
      const { journal, position } = z.object({ journal: z.string(), position: z.number() }).parse(revoked.get());
      file.prepare('DELETE FROM entries WHERE journal = ? AND position = ?').run(journal, position);
      file.prepare("INSERT INTO members (list, name, member) VALUES ('grants', 'T0SANDBOX:given', ?)").run(journal);
    },
    finds: /its end was cut off\. It had \d entries when it ended, and has \d/,
  },
];
