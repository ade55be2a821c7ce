import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { hashLine, writeLines } from '../../app/journal/line/line.ts';

const Row = z.object({ journal: z.string(), position: z.number(), text: z.string() });
const Sealed = z.object({
  atMs: z.number(),
  body: z.object({ run: z.string(), version: z.number(), head: z.string() }),
});

/** As a person does who knows how retention records a removal. */
export function retireByHand(file: DatabaseSync): void {
  const rowLike = (like: string) =>
    Row.parse(
      file.prepare('SELECT journal, position, text FROM entries WHERE text LIKE ? ORDER BY position DESC').get(like),
    );
  const sealed = Sealed.parse(JSON.parse(rowLike('%"type":"run-sealed"%').text));
  const { journal } = rowLike('%"type":"run-sealed"%');
  const last = Row.parse(
    file.prepare('SELECT journal, position, text FROM entries WHERE journal = ? ORDER BY position DESC').get(journal),
  );
  const { run, version, head } = sealed.body;
  const archive = { file: `${run}.jsonl`, sha256: 'none' };
  const entry = { type: 'run-retired', run, version, head, archive, id: 'by-hand', atMs: sealed.atMs + 1_000 };
  const { lines } = writeLines([entry], hashLine(last.text));
  const insert = file.prepare('INSERT INTO entries (journal, position, id, text) VALUES (?, ?, ?, ?)');
  for (const { id, text } of lines) insert.run(journal, last.position + 1, id, text);
  file.prepare('DELETE FROM entries WHERE journal = ?').run(run);
  file.prepare('DELETE FROM items WHERE run = ?').run(run);
}
