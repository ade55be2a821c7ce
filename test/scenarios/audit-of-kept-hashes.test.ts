import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hashLine } from '../../app/journal/line/line.ts';
import { type KeptStore, keptStore } from '../support/tampering.ts';

const Row = z.object({ journal: z.string(), position: z.number(), text: z.string() });
const Report = z.object({ ends: z.array(z.string()), kept: z.array(z.string()) });

/** The last entry of the journals whose names have this letter. */
const lastOf = (letter: string) => (file: DatabaseSync) =>
  Row.parse(
    file
      .prepare(
        'SELECT journal, position, text FROM entries WHERE substr(journal, 3, 1) = ? ORDER BY journal, position DESC',
      )
      .get(letter),
  );

let kept: KeptStore;
beforeAll(async () => {
  kept = await keptStore();
});
afterAll(() => kept?.remove());

describe('verify --kept', () => {
  it('proves that hashes which a person kept are still in their chains, and says where (EDGE-2)', async () => {
    const rows: z.infer<typeof Row>[] = [];
    const looked = await kept.verified(
      (file) => rows.push(...['w', 'r', 'g'].map((letter) => lastOf(letter)(file))),
      '--json',
    );
    const [end = ''] = Report.parse(JSON.parse(looked.out)).ends;
    const hashes = rows.map(({ text }) => hashLine(text));
    expect(end).toContain(`the last is ${hashes[0]}`);

    const proved = await kept.verified(undefined, ...hashes.flatMap((hash) => ['--kept', hash]));

    expect(proved).toMatchObject({ code: 0, out: '' });
    for (const [at, { journal, position }] of rows.entries())
      expect(proved.err).toContain(`Kept ${hashes[at]} is entry ${position} of ${journal}.`);
  });

  it('finds that the end of the journal of a workspace was cut off, which nothing else shows (EDGE-2)', async () => {
    let hash = '';
    const cut = (file: DatabaseSync) => {
      const { journal, position, text } = lastOf('w')(file);
      hash = hashLine(text);
      file.prepare('DELETE FROM entries WHERE journal = ? AND position = ?').run(journal, position);
    };
    await kept.verified(cut);

    const { code, out } = await kept.verified(cut, '--kept', hash);

    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        `No entry has the kept hash ${hash}. What it stood for was removed or written anew.`,
      ),
    });
  });

  it('refuses what is not the hash of an entry (EDGE-2)', async () => {
    const { code, err } = await kept.verified(undefined, '--kept', 'hello');

    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('hello is not the hash of an entry') });
  });
});
