import type { Profile } from '../../interventions/index.ts';

/** The rules that the `reference` profile does not keep, or keeps in part: those of the table in interventions/README.md. */
export const RESTORED = ['BEY-9', 'BEY-11', 'BEY-15', 'BEY-16', 'BEY-23', 'BEY-38'] as const;

let named: Profile | undefined;

/** What a test runs under that names no profile: the tests of the library run once under each. */
export function standardProfile(): Profile {
  return named ?? (process.env.PROFILE === 'reference' ? 'reference' : 'strict');
}

/** A test of a rule that the `reference` profile does not keep: it runs under `strict`, whatever the others run under. */
export function strictly<Parts extends readonly unknown[]>(
  _rule: (typeof RESTORED)[number],
  test: (...parts: Parts) => void | Promise<void>,
): (...parts: Parts) => Promise<void> {
  return async (...parts) => {
    named = 'strict';
    try {
      await test(...parts);
    } finally {
      named = undefined;
    }
  };
}
