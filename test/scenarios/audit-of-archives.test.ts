import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeptArchive, keptArchive } from '../support/archived.ts';
import { retireByHand } from '../support/retire-by-hand.ts';
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
