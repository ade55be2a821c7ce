import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeptStore, keptStore } from '../support/tampering.ts';
import { lastHashes, TAMPERINGS } from '../support/tamperings.ts';

let kept: KeptStore;
beforeAll(async () => {
  kept = await keptStore();
});
afterAll(() => kept?.remove());

describe('verify', () => {
  it('finds nothing in what a bot wrote and no person changed (EDGE-2)', async () => {
    expect(await kept.verified()).toMatchObject({ code: 0, out: '' });
  });

  it.each(TAMPERINGS.filter(({ finds }) => finds !== undefined))(
    'finds and names in the file of a bot: $row (EDGE-2)',
    async ({ change, finds }) => {
      const { code, out } = await kept.verified(change);

      expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(finds ?? /$^/) });
    },
  );

  it.each(TAMPERINGS.filter(({ finds }) => finds === undefined))(
    'finds in the file of a bot only with a hash that a person kept: $row (EDGE-2)',
    async ({ change }) => {
      const hashes: string[] = [];
      expect(await kept.verified((file) => hashes.push(...lastHashes(file)))).toMatchObject({ code: 0 });
      expect(await kept.verified(change)).toMatchObject({ code: 0, out: '' });

      const { code, out } = await kept.verified(change, ...hashes.flatMap((hash) => ['--kept', hash]));
      expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(/No entry has the kept hash/) });
    },
  );
});

describe('verify of an encrypted store', () => {
  const env = { DATA_KEY: randomBytes(32).toString('base64') };
  let encrypted: KeptStore;
  beforeAll(async () => {
    encrypted = await keptStore(env);
  });
  afterAll(() => encrypted?.remove());

  it('says without the key that it checks positions only, and still misses a removed entry (EDGE-2)', async () => {
    expect(await encrypted.verified()).toMatchObject({ code: 0, out: '' });

    const untouched = await encrypted.verifiedWith({});
    expect(untouched).toMatchObject({ code: 0, out: '' });
    expect(untouched.err).toMatch(/\d+ entries and items are encrypted, so only their positions were checked/);

    const cut = await encrypted.verifiedWith({}, (file) =>
      file.exec("DELETE FROM entries WHERE substr(journal, 3, 1) = 'r' AND position = 2"),
    );
    expect(cut).toMatchObject({ code: 1, out: expect.stringMatching(/1 of its \d+ entries are missing/) });
  });

  it('names with the key each journal whose text was changed (EDGE-2)', async () => {
    const { code, out } = await encrypted.verified((file) =>
      file.exec("UPDATE entries SET text = text || 'x' WHERE substr(journal, 3, 1) = 'g' AND position = 0"),
    );

    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringMatching(/g\S+: cannot be read: .* was changed/),
    });
  });
});
