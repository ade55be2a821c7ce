import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { choose, faultsIn, withFault } from './faults.ts';
import { table } from './report.ts';
import { readWish } from './wish.ts';

const text = `import { type Log } from './log.ts';

/** Whether a === b && true, which is a comment. */
const MOST = 3;
type Size = 0 | 1;

export function mayStart(log: Log, names: readonly string[], uses: number): boolean {
  if (names.length === 0) throw new RangeError('No' + (names.length === 0 ? 1 : 2));
  if (!names.includes('ä') || uses < MOST) return false;
  log.info('started', { quick: true });
  const all = [...names, 'one – two'];
  all.push('🙂'); void notify(all[uses - 1]);
  return all.every((name) => name.length !== 0);
}
`;

const faults = faultsIn({ path: 'a.ts', text });
const shown = faults.map(({ id, from, to }) => `${id} ${from} -> ${to}`);

describe('the possible faults of a text', () => {
  it('are found of every kind, but not in comments, types, imports, limits, logs and the words of errors', () => {
    expect(shown.toSorted()).toEqual(
      [
        'a.ts:8:equality === -> !==',
        "a.ts:8:drop throw new RangeError('No' + (names.length === 0 ? 1 : 2)); -> ;",
        'a.ts:8:off-by-one 0 -> 1',
        "a.ts:9:negate !names.includes('ä') || uses < MOST -> !(!names.includes('ä') || uses < MOST)",
        'a.ts:9:and-or || -> &&',
        'a.ts:9:compare < -> <=',
        'a.ts:9:boolean false -> true',
        'a.ts:9:drop return false; -> ;',
        'a.ts:11:spread ...names -> ...[]',
        "a.ts:12:drop all.push('🙂'); -> ;",
        'a.ts:12:drop.2 void notify(all[uses - 1]); -> ;',
        'a.ts:12:sum - -> +',
        'a.ts:12:off-by-one 1 -> 2',
        'a.ts:13:empty all.every((name) => name.length !== 0) -> undefined',
        'a.ts:13:empty.2 name.length !== 0 -> undefined',
        'a.ts:13:equality !== -> ===',
        'a.ts:13:off-by-one 0 -> 1',
      ].toSorted(),
    );
  });

  it('change exactly one line each, and no two of them the same way', () => {
    const before = text.split('\n');
    const changed = faults.map((fault) => withFault(fault, text));

    for (const [index, after] of changed.entries()) {
      const lines = after.split('\n');
      expect(lines).toHaveLength(before.length);
      const differing = lines.flatMap((line, at) => (line === before[at] ? [] : [at + 1]));
      expect(differing).toEqual([faults[index]?.line]);
    }
    expect(new Set(changed).size).toBe(faults.length);
  });

  it('leave a text that parses, because a fault that does not load would count as seen', () => {
    const path = 'app/journal/decide/decide.ts';
    const source = readFileSync(path, 'utf8');
    const real = faultsIn({ path, text: source });

    expect(real.length).toBeGreaterThan(20);
    const broken = real.filter((fault) => parseSync(path, withFault(fault, source)).errors.length > 0);
    expect(broken.map(({ id }) => id)).toEqual([]);
  });

  it('leave alone a condition that only says whether to come to a step', () => {
    const steps =
      "if (lost.length > 0) await deps.step('unknown-written');\nif (lost.length > 0) await tell('unknown-written');";
    const found = faultsIn({ path: 'c.ts', text: steps });

    expect(new Set(found.map(({ line }) => line))).toEqual(new Set([2]));
  });

  it('drop no return after which a function ends anyway', () => {
    const ends = `export function tell(all: string[]): void {
  for (const one of all) {
    if (one === '') return;
  }
  try {
    if (all.length > 1) {
      notify(all);
      return;
    } else return;
  } catch {
    return;
  }
}
`;
    const drops = faultsIn({ path: 'b.ts', text: ends }).filter(({ to }) => to === ';');

    expect(drops.map(({ line, from }) => `${line} ${from}`)).toEqual(['3 return;', '7 notify(all);']);
  });
});

describe('the choice of faults', () => {
  it('is the same for the same seed and different for another seed', () => {
    const chosen = choose(faults, { seed: 7, count: 4 });

    expect(choose(faults.toReversed(), { seed: 7, count: 4 })).toEqual(chosen);
    expect(choose(faults, { seed: 8, count: 4 })).not.toEqual(chosen);
  });

  it('takes one fault of a line at most, and a longer choice begins with the shorter one', () => {
    const all = choose(faults, { seed: 7, count: 100 });

    expect(all.map(({ line }) => line).toSorted((one, other) => one - other)).toEqual([8, 9, 11, 12, 13]);
    expect(choose(faults, { seed: 7, count: 2 })).toEqual(all.slice(0, 2));
  });

  it('is the same in any order of the faults', () => {
    const calls = faultsIn({ path: 'a.ts', text: 'one();\ntwo();\nthree();\nfour();\n' });

    expect(choose(calls.toReversed(), { seed: 7, count: 2 })).toEqual(choose(calls, { seed: 7, count: 2 }));
  });

  it('stays when lines are added before the faults', () => {
    const later = faultsIn({ path: 'a.ts', text: `// One\n// Two\n${text}` });
    const reads = (of: typeof faults): readonly string[] => choose(of, { seed: 7, count: 4 }).map((one) => one.reads);

    expect(reads(later)).toEqual(reads(faults));
  });
});

describe('the arguments', () => {
  it.each([
    [['--seed', 'x'], /^--seed x is not a whole number/],
    [['--count', '0'], /^--count 0 is not a number/],
    [['--with', 'some'], /^--with some is not a choice/],
    [['app', '--only', 'app/a.ts:1:drop'], /^--only names its file itself/],
    [['--sed', '1'], /--sed/],
  ])('%j are refused with the reason', (args, reason) => {
    expect(readWish(args)).toMatch(reason);
  });

  it('take the parts of the core when no folder is named, about 160 faults', () => {
    const wish = readWish([]);
    if (typeof wish === 'string') throw new Error(wish);

    expect(wish.parts.reduce((sum, { count }) => sum + count, 0)).toBe(160);
  });
});

it('the table says for each part how many faults were seen, and how many of those by time-out', () => {
  const part = 'gate';
  const tried = [
    { part, outcome: { type: 'green' } as const },
    { part, outcome: { type: 'red', by: 'a test' } as const },
    { part: 'runs', outcome: { type: 'time-out', seconds: 60 } as const },
  ];

  expect(table(tried).split('\n').slice(2)).toEqual([
    '| gate | 1 | 2 |',
    '| runs | 1 (1 by time-out) | 1 |',
    '| all | 2 (1 by time-out) | 3 |',
  ]);
});
