import { parseArgs } from 'node:util';
import { PARTS, type Part } from './parts.ts';

export const USAGE = `Usage: npm run mutate -- [folder or file ...] [options]

  Puts faults of one line into copies of the project and says which of them a test sees.
  Without folders, it takes the core, part by part.

  --seed N        Chooses other faults (1).
  --count N       How many, for each part (30, or what the part has of its own).
  --with TESTS    related: the pure tests that import the file, which is quicker (the default). all: every pure test.
  --only ID       Only this fault, as file:line:kind. May be given again.
`;

export interface Wish {
  readonly seed: number;
  readonly parts: readonly Part[];
  /** In place of parts. */
  readonly only: readonly string[];
  readonly withAll: boolean;
}

/** What was asked for, or a sentence about what is wrong with it. */
export function readWish(args: readonly string[]): Wish | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string' },
        with: { type: 'string', default: 'related' },
        only: { type: 'string', multiple: true, default: [] },
      },
    });
    const { seed, count, only } = values;
    if (!/^\d{1,9}$/.test(seed)) return `--seed ${seed} is not a whole number. Write it as --seed 7.`;
    if (count !== undefined && !/^[1-9]\d{0,3}$/.test(count))
      return `--count ${count} is not a number from 1 to 9999. Write it as --count 20.`;
    if (values.with !== 'related' && values.with !== 'all')
      return `--with ${values.with} is not a choice of tests. Write --with related or --with all.`;
    if (only.length > 0 && positionals.length > 0)
      return '--only names its file itself. Leave the folders and files away.';
    const parts = partsOf(positionals).map((part) => (count === undefined ? part : { ...part, count: Number(count) }));
    return { seed: Number(seed), parts, only, withAll: values.with === 'all' };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function partsOf(paths: readonly string[]): readonly Part[] {
  if (paths.length === 0) return PARTS;
  const clean = paths.map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''));
  return [{ name: clean.join(' + '), paths: clean, count: 30 }];
}
