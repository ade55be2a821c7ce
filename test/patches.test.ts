import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FASTER, type Patch, SOON_REMOVED, TEN_TIMES_AS_FAST } from './support/patched.ts';
import * as rulesOff from './support/rules-off.ts';

const patches: readonly Patch[] = [
  ...FASTER,
  ...TEN_TIMES_AS_FAST,
  SOON_REMOVED,
  ...Object.values(rulesOff).flatMap(({ fault, off, on = [] }) => [...fault, ...off, ...on]),
];

it('every patch of the sources that a slow test applies finds its text there once', () => {
  const missed = patches.filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2);

  expect(patches.length).toBeGreaterThan(20);
  expect(missed.map(({ file, find }) => `${file}: write the patch in test/support anew for ${find}`)).toEqual([]);
});
