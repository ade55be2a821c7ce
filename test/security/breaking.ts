import type { Patch } from '../support/patched.ts';

/** One line that, broken, breaks a promise of SECURITY.md: the tests named there must notice. */
export interface Sabotage {
  /** To the letter, as the page has it. */
  readonly promise: string;
  readonly what: string;
  readonly patch: Patch;
}

type Line = readonly [what: string, file: string, find: string, put: string];

/** The sabotages of one promise. */
export function breaking(promise: string, ...lines: readonly Line[]): readonly Sabotage[] {
  return lines.map(([what, file, find, put]) => ({ promise, what, patch: { file, find, put } }));
}
