import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hashLine, writeLines } from '../../app/journal/line/line.ts';
import { type KeptArchive, keptArchive } from '../support/archived.ts';
import { type KeptStore, keptStore } from '../support/tampering.ts';

describe('verify of the archive of a removed run', () => {
  let kept: KeptArchive;
  beforeAll(async () => {
    kept = await keptArchive();
  });
  afterAll(() => kept?.remove());

  it('finds nothing in the file that retention wrote (EDGE-2)', async () => {
    expect(await kept.verified()).toMatchObject({ code: 0, out: '' });
  });

  it.each<[string, Parameters<KeptArchive['verified']>[0], RegExp]>([
    ['a missing archive', ({ path }) => rmSync(path), /was removed by retention, and its archive \S+ is not in /],
    [
      'other words in an archive',
      ({ path }) => writeFileSync(path, readFileSync(path, 'utf8').replace('hello', 'bye')),
      /its archive \S+ was changed\. It is not the file that retention wrote\./,
    ],
    [
      'an added line in an archive',
      ({ path }) => appendFileSync(path, '{"line":"{}"}\n'),
      /its archive \S+ was changed/,
    ],
    [
      'a missing folder',
      ({ folder }) => rmSync(folder, { recursive: true }),
      /There is no folder \S+, so no archive in it/,
    ],
  ])('finds %s (EDGE-2)', async (_what, change, finds) => {
    expect(await kept.verified(change)).toMatchObject({ code: 1, out: expect.stringMatching(finds) });
  });

  it('looks in the folder that the configuration on record names (EDGE-2)', async () => {
    const { code, out } = await kept.withoutFolder();

    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(/^There is no folder archive, so /) });
  });
});

describe.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['without retention', {}, /the configuration on record had none when the run ended/],
  [
    'that keeps runs for three days',
    { COUNTERSIGN_CONFIG: 'test/support/three-days.config.ts' },
    /removed 0\.0 hours after it ended, and the configuration on record keeps a run for 72\.0 hours/,
  ],
])('verify of a bot %s', (_how, env, finds) => {
  let kept: KeptStore;
  beforeAll(async () => {
    kept = await keptStore(env);
  });
  afterAll(() => kept?.remove());

  it('finds a removal that is only recorded, and was not due (EDGE-2)', async () => {
    expect(await kept.verified()).toMatchObject({ code: 0, out: '' });

    const { code, out } = await kept.verified(retireByHand);

    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(finds) });
  });
});

const Row = z.object({ journal: z.string(), position: z.number(), text: z.string() });
const Sealed = z.object({
  atMs: z.number(),
  body: z.object({ run: z.string(), version: z.number(), head: z.string() }),
});

/** As a person does who knows how retention records a removal. */
function retireByHand(file: DatabaseSync): void {
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
