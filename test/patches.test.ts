import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SABOTAGES } from './security/sabotage.ts';
import {
  FILES_OF_A_BUTTON,
  FILES_OF_A_QUESTION,
  NEW_BUTTON,
  NEW_QUESTION,
  problemApplying,
  productFilesOf,
  writeAnew,
} from './support/kept-patches.ts';
import { OF_NEWER_VERSIONS } from './support/newer-version.ts';
import {
  FASTER,
  ONLY_LEASES,
  ONLY_SHORT_WAITS,
  type Patch,
  SOON_REMOVED,
  TEN_TIMES_AS_FAST,
} from './support/patched.ts';
import * as rulesOff from './support/rules-off.ts';

const patches: readonly Patch[] = [
  ...FASTER,
  ...TEN_TIMES_AS_FAST,
  ...ONLY_LEASES,
  ...ONLY_SHORT_WAITS,
  SOON_REMOVED,
  ...OF_NEWER_VERSIONS,
  ...SABOTAGES.map(({ patch }) => patch),
  ...Object.values(rulesOff).flatMap(({ fault, off, on = [] }) => [...fault, ...off, ...on]),
];

it('every patch of the sources that a slow test applies finds its text there exactly once', () => {
  const missed = patches.filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2);

  expect(patches.length).toBeGreaterThan(20);
  expect(
    missed.map(({ file, find }) => `${file}: write the patch in test/support or test/security anew for ${find}`),
  ).toEqual([]);
});

it('the patch that adds a button fits the sources and touches at most five product files', () => {
  const files = productFilesOf(NEW_BUTTON);

  expect(problemApplying(NEW_BUTTON, '.', '--check'), writeAnew(NEW_BUTTON)).toBe('');
  expect(files).toContain('handlers/presses/deliveries.ts');
  expect(files.length, `A new button touches ${files.join(', ')}`).toBeLessThanOrEqual(FILES_OF_A_BUTTON);
});

it('the patch that adds a kind of question fits the sources and touches at most four product files', () => {
  const files = productFilesOf(NEW_QUESTION);

  expect(problemApplying(NEW_QUESTION, '.', '--check'), writeAnew(NEW_QUESTION)).toBe('');
  expect(files.length, `A new question touches ${files.join(', ')}`).toBeLessThanOrEqual(FILES_OF_A_QUESTION);
});
