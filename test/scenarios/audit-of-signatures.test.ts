import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hashLine, NO_HEAD, signatureOf } from '../../app/journal/line/line.ts';
import { WorkspaceId } from '../../app/records/index.ts';
import { createSecretBox, DataKeys } from '../../app/secrets/box.ts';
import { entryAt, opener, sealText } from '../../app/store/sealed-text.ts';
import { type KeptStore, keptStore } from '../support/tampering.ts';

const DATA_KEY = randomBytes(32).toString('base64');
const box = createSecretBox(DataKeys.parse(DATA_KEY));
const Row = z.object({ journal: WorkspaceId, position: z.number(), text: z.string() });

/** As a person does who can write encrypted text into the store, and knows how the chain is made. */
const rewritten = (change: (plain: string) => string) => (file: DatabaseSync) => {
  const rows = file
    .prepare("SELECT journal, position, text FROM entries WHERE substr(journal, 3, 1) = 'w' ORDER BY position")
    .all();
  let prev = NO_HEAD;
  for (const row of rows) {
    const { journal, position, text } = Row.parse(row);
    const place = entryAt(journal)(position);
    const plain = change(opener(box, 'all')(text, place)).replace(/"prev":"[^"]*"/, `"prev":"${prev}"`);
    prev = hashLine(plain);
    file
      .prepare('UPDATE entries SET text = ? WHERE journal = ? AND position = ?')
      .run(sealText(box, plain, place), journal, position);
  }
};

let kept: KeptStore;
beforeAll(async () => {
  kept = await keptStore({ DATA_KEY });
});
afterAll(() => kept?.remove());

describe('verify of the journal of a workspace under a key', () => {
  it('finds nothing in what a bot signed, and has nothing to note (EDGE-2)', async () => {
    const { code, out, err } = await kept.verified(rewritten((plain) => plain));

    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).not.toContain('sign');
  });

  it('finds no kept hash of encrypted text without the key, because a rotation writes that text anew (EDGE-2)', async () => {
    let hash = '';
    const keep = (file: DatabaseSync) => {
      hash = hashLine(Row.pick({ text: true }).parse(file.prepare('SELECT text FROM entries').get()).text);
    };
    await kept.verified(keep);

    expect(await kept.verifiedWith({}, undefined, '--kept', hash)).toMatchObject({
      code: 1,
      out: expect.stringContaining('It may be of an encrypted entry: set DATA_KEY.'),
    });
  });

  it('finds an entry that was altered in a chain that was made anew (EDGE-2)', async () => {
    const { code, out } = await kept.verified(
      rewritten((plain) => (plain.includes('"type":"run-sealed"') ? plain.replace('"v":1', '"v":1 ') : plain)),
    );

    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(/entry \d+ is not as it was signed/) });
  });

  it('finds an entry without a signature behind signed ones (EDGE-2)', async () => {
    const { code, out } = await kept.verified(
      rewritten((plain) =>
        plain.includes('"type":"run-sealed"') ? (signatureOf(plain)?.text ?? 'not signed') : plain,
      ),
    );

    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringMatching(/entry \d+ is not signed, and entries before it are/),
    });
  });
});
