import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeptStore, keptStore } from '../support/tampering.ts';
import { TAMPERINGS } from '../support/tamperings.ts';

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
});
