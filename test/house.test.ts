import { describe, expect, it } from 'vitest';
import {
  besideTheDoor,
  browserScripts,
  crowdedFolders,
  functionLengths,
  LINES_OF_MOST_FUNCTIONS,
  product,
  sharedTypeNames,
  strayTests,
  swallowingCatches,
  timeReaders,
  tooLong,
  unitTests,
} from './support/house.ts';
import { findCircle, MAY_IMPORT } from './support/imports.ts';

const files = product();

describe('the layout of the sources', () => {
  it('keeps every folder to fifteen files, and names a folder that has more', () => {
    expect(crowdedFolders(files.map(({ path }) => path))).toEqual([]);

    const sixteen = Array.from({ length: 16 }, (_, at) => `app/hall/${at}.ts`);
    expect(crowdedFolders(sixteen)).toEqual([expect.stringMatching(/^app\/hall: 16 files .* Move /)]);
  });

  it('lets a room be entered through its index.ts alone, and names the import that does not', () => {
    expect(besideTheDoor(files)).toEqual([]);

    const planted = { path: 'app/planted.ts', text: "import { hall } from './hall/chair.ts';\n" };
    const hall = { path: 'app/hall/index.ts', text: "export { hall } from './chair.ts';\n" };
    expect(besideTheDoor([planted, hall])).toEqual([
      expect.stringMatching(/^app\/planted\.ts: imports .* export there/),
    ]);
  });

  it('needs at most 45 rows for the rule which room may import which', () => {
    expect(Object.keys(MAY_IMPORT).length).toBeLessThanOrEqual(45);
  });

  it('has no circle of imports, those of types included, and would find one', () => {
    expect(findCircle(files, { types: true })).toEqual([]);

    const a = { path: 'app/a.ts', text: "import type { B } from './b.ts';\n" };
    const b = { path: 'app/b.ts', text: "import type { A } from './a.ts';\n" };
    expect(findCircle([a, b], { types: true })).toEqual(['app/a.ts', 'app/b.ts', 'app/a.ts']);
  });

  it('reads clocks and timers only where a process begins and in app/time', () => {
    expect(timeReaders(files)).toEqual([]);

    const planted = { path: 'app/planted.ts', text: 'setTimeout(f, 1);' };
    expect(timeReaders([planted])).toEqual([expect.stringMatching(/^app\/planted\.ts: uses setTimeout\. Take /)]);
  });

  it('gives each exported type a name that no other file exports', () => {
    expect(sharedTypeNames(files)).toEqual([]);

    const [chair, hall] = ['app/chair.ts', 'app/hall.ts'].map((path) => ({ path, text: 'export type Seat = 1;\n' }));
    expect(sharedTypeNames([chair, hall].flatMap((file) => file ?? []))).toEqual([
      'Seat: exported by app/chair.ts and app/hall.ts. Give all but one a name that says more.',
    ]);
  });

  it('puts a unit test of one file at the mirrored path of that file', () => {
    expect(strayTests(unitTests())).toEqual([]);

    const stray = { path: 'test/app/chair.test.ts', text: "import { chair } from '../../app/hall/chair.ts';\n" };
    expect(strayTests([stray])).toEqual([expect.stringMatching(/Move it to test\/app\/hall\/,/)]);
  });
});

describe('the catches of the sources', () => {
  it('log, answer or throw, and a catch that swallows is named with its line', () => {
    expect([...files, ...browserScripts()].flatMap(swallowingCatches)).toEqual([]);
  });

  it.each([
    ['a catch with an empty block', 'try {\n  work();\n} catch {}\n', 3],
    ['an empty handler', 'await work().catch(() => {});\n', 1],
    ['a handler that answers undefined', 'await work().catch(() => undefined);\n', 1],
    ['a second handler of a then', 'work().then(undefined, () => {});\n', 1],
  ])('would be found: %s', (_what, text, line) => {
    expect(swallowingCatches({ path: 'app/planted.ts', text })).toEqual([
      expect.stringMatching(new RegExp(`^app/planted\\.ts:${line}: this catch swallows .* Log it, `)),
    ]);
  });
});

describe('the functions of the sources', () => {
  const lengths = files.flatMap(functionLengths);

  it('are 80 lines at most, and a longer one is named with its line', () => {
    expect(tooLong(lengths)).toEqual([]);

    const text = `export function long(): void {\n${'  step();\n'.repeat(90)}}\n`;
    expect(tooLong(functionLengths({ path: 'app/planted.ts', text }))).toEqual([
      expect.stringMatching(/^app\/planted\.ts:1: a function of 92 lines, 80 are allowed\./),
    ]);
  });

  it('are under 30 lines in nine of ten', () => {
    const short = lengths.filter(({ lines }) => lines < LINES_OF_MOST_FUNCTIONS);

    expect(short.length / lengths.length).toBeGreaterThanOrEqual(0.9);
  });
});
