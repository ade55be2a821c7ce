import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EntryBody } from '../../app/journal/facts/entries.ts';
import { itemsOf } from '../../app/journal/facts/items.ts';
import { itemHashesIn, readLine } from '../../app/journal/line/line.ts';
import { type KeptStore, keptStore, linesOfRuns } from '../support/tampering.ts';
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

  it('reads entries of which each holds the hashes of exactly the items to which it refers (EDGE-2)', async () => {
    const seen = new Set<string>();
    await kept.verified((file) => {
      for (const { run, text, hashOf } of linesOfRuns(file)) {
        const { entry } = readLine(EntryBody, text);
        const { from = 0, hashes = [] } = itemHashesIn(text) ?? {};
        const held = hashes.map((hash, index) => [from + index, hash]);

        expect(held, `${run} ${text}`).toEqual(itemsOf(entry).map((item) => [item, hashOf(item)]));
        if (held.length > 0) seen.add(entry.type);
      }
    });

    expect([...seen].sort()).toEqual(['call-finished', 'person-said', 'turn-answered']);
  });

  it.each(TAMPERINGS.flatMap(({ finds, ...rest }) => (finds instanceof RegExp ? { ...rest, finds } : [])))(
    'finds and names in the file of a bot: $row (EDGE-2)',
    async ({ change, finds }) => {
      const { code, out } = await kept.verified(change);

      expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(finds) });
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

  it.each(TAMPERINGS.filter(({ finds }) => finds === 'never'))(
    'cannot find in the file of a bot without a key, also with each hash that a person kept: $row (EDGE-2)',
    async ({ change }) => {
      const hashes: string[] = [];
      await kept.verified((file) => hashes.push(...lastHashes(file)));

      const { code, out } = await kept.verified(change, ...hashes.flatMap((hash) => ['--kept', hash]));
      expect({ code, out }).toMatchObject({ code: 0, out: '' });
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
    expect(cut).toMatchObject({ code: 1, out: expect.stringMatching(/1 of its \d+ entries is missing/) });
  });

  it('names with the key each journal whose text was changed (EDGE-2)', async () => {
    const { code, out } = await encrypted.verified((file) =>
      file.exec("UPDATE entries SET text = text || 'xxxx' WHERE substr(journal, 3, 1) = 'g' AND position = 0"),
    );

    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringMatching(/g\S+: cannot be read: .* was changed/),
    });
  });
});
