import { readFileSync } from 'node:fs';

/** A row of *Promises* in SECURITY.md. */
export interface KeptPromise {
  readonly promise: string;
  /** A row names one test or several, each by its file and by words of its title. */
  readonly tests: readonly NamedTest[];
}

export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

export function promisesOf(page = readFileSync('SECURITY.md', 'utf8')): readonly KeptPromise[] {
  return [...page.matchAll(/^\| ([^|]+) \| (`test\/[^|]+) \|$/gm)].map(([, promise = '', proof = '']) => ({
    promise,
    tests: [...proof.matchAll(/`(test\/[^`]+)` ([^;]+)/g)].map(([, file = '', title = '']) => ({
      file,
      title: title.trim(),
    })),
  }));
}
