import { execFileSync } from 'node:child_process';

/**
 * How much of what chance chooses is tried. `npm test` tries a part that takes seconds; `npm run prove`, which a build runs
 * behind it, tries the rest of what is promised; `npm run soak` tries many times more.
 */
export type Amount = 'test' | 'prove' | 'soak';

export const AMOUNT: Amount =
  process.env.SOAK !== undefined ? 'soak' : process.env.PROVE !== undefined ? 'prove' : 'test';

export function amountOf<Value>(amounts: Readonly<Record<Amount, Value>>): Value {
  return amounts[AMOUNT];
}

/** Set while titles are listed: then what the two commands share is there whole. */
const LISTS = process.env.LISTS_TITLES !== undefined;

/** What `npm test` and `npm run prove` share between them. A soak has it whole. */
export function sharedOf<Value>({ test, prove, whole }: Readonly<Record<'test' | 'prove' | 'whole', Value>>): Value {
  return amountOf({ test: LISTS ? whole : test, prove: LISTS ? whole : prove, soak: whole });
}

/** Runs of a property that costs much: a tenth of them outside of `npm run prove`. */
export function runsOf(all: number): number {
  return amountOf({ test: Math.ceil(all / 10), prove: all, soak: all });
}

/**
 * One of every `of` in `npm test`, others with each commit, and the rest in `npm run prove`. Without a history it is always
 * the same part.
 */
export function partOf<Value>(all: readonly Value[], of: number): readonly Value[] {
  const turn = commits() % of;
  return sharedOf({
    test: all.filter((_, at) => at % of === turn),
    prove: all.filter((_, at) => at % of !== turn),
    whole: all,
  });
}

function commits(): number {
  try {
    const counted = execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(counted);
  } catch {
    // A copy of the sources without its history.
    return 0;
  }
}
