import { afterEach, expect, it } from 'vitest';
import {
  FILES_OF_A_QUESTION,
  NEW_QUESTION,
  problemApplying,
  productFilesOf,
  typeErrors,
  writeAnew,
} from '../support/kept-patches.ts';
import { type Patched, patchedSources } from '../support/patched.ts';

let sources: Patched | undefined;
afterEach(() => sources?.remove());

it('a new kind of question that is added by the kept patch passes the compiler and touches no more files than before', () => {
  sources = patchedSources([]);
  const files = productFilesOf(NEW_QUESTION);

  expect(problemApplying(NEW_QUESTION, sources.folder), writeAnew(NEW_QUESTION)).toBe('');
  expect(typeErrors(sources.folder), writeAnew(NEW_QUESTION)).toBe('');
  expect(files.length, `A new question touches ${files.join(', ')}`).toBeLessThanOrEqual(FILES_OF_A_QUESTION);
});
