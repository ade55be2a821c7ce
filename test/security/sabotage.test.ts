import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NamedTest, promisesOf } from '../support/promises.ts';
import { type Rerun, type Result, startRerun } from './rerun.ts';
import { SABOTAGES } from './sabotage.ts';

/*
 * Tests of the tests that SECURITY.md names: each sabotage breaks one line in a copy of the project, and the tests named for
 * that promise run there, until one of them goes red. A test that stays green proves nothing.
 */

const promises = promisesOf();

let rerun: Rerun;
beforeAll(() => {
  rerun = startRerun();
});
afterAll(() => rerun?.close());

type Colour = 'green' | 'red' | 'not-run' | 'broken';

/** Each row of a test that failed in the copy while a line was broken there, and whether it passed there before or since. */
const seenRed = new Map<string, NamedTest>();
const seenGreen = new Set<string>();

/** What became of each of these tests in the copy as it is now. */
async function run(
  tests: readonly NamedTest[],
  options?: { readonly bail: boolean },
): Promise<ReadonlyMap<NamedTest, Colour>> {
  const results = await rerun.run(tests, options);
  const ran = results.filter(({ status }) => ['passed', 'failed'].includes(status));
  const colours = new Map(
    tests.map((test) => [
      test,
      colourOf(ran.filter(({ file, fullName }) => file === test.file && fullName.includes(test.title))),
    ]),
  );
  for (const { file, fullName: title, status } of ran) {
    const row = { file, title };
    if (status === 'passed') seenGreen.add(nameOf(row));
    else seenRed.set(nameOf(row), row);
  }
  return colours;
}

/** What an assertion says, or the sandbox when what a test waits for is never seen. */
const ASSERTED = /^(AssertionError|Error: Not seen within )/;

function colourOf(results: readonly Result[]): Colour {
  if (results.length === 0) return 'not-run';
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return 'green';
  return failed.some(({ failures }) => failures.some((said) => ASSERTED.test(said))) ? 'red' : 'broken';
}

/** The first in the order of the page, where the quick ones come first. */
async function firstRed(tests: readonly NamedTest[]): Promise<NamedTest | undefined> {
  for (const together of startsOf(tests)) {
    const colours = await run(together, { bail: together.length === 1 });
    const red = together.find((test) => colours.get(test) === 'red');
    if (red !== undefined) return red;
  }
  return undefined;
}

/** A process for tests costs more than quick tests, so those share one. A test that starts bots runs only where it is needed. */
function startsOf(tests: readonly NamedTest[]): readonly (readonly NamedTest[])[] {
  const startsBots = ({ file }: NamedTest) => file.startsWith('test/scenarios/');
  const quick = tests.filter((test) => !startsBots(test));
  return [...(quick.length > 0 ? [quick] : []), ...tests.filter(startsBots).map((test) => [test])];
}

const nameOf = ({ file, title }: NamedTest): string => `${file} ${title}`;

describe('the tests that SECURITY.md names', () => {
  it.each(promises)('go red where this promise is broken: $promise', async (kept) => {
    const { promise, tests } = kept;
    const content: string[] = [];
    const noticed = new Set<NamedTest>();
    for (const { what, patch } of SABOTAGES.filter((sabotage) => sabotage.promise === promise)) {
      const restore = rerun.patch(patch);
      const red = await firstRed(tests).finally(restore);
      process.stdout.write(`${promise} | ${what} | ${red === undefined ? 'no test goes red' : nameOf(red)}\n`);
      if (red === undefined) content.push(what);
      else noticed.add(red);
    }

    expect(content, 'No test that SECURITY.md names for this promise notices that').toEqual([]);
    expect(
      tests.filter((test) => !noticed.has(test)).map(nameOf),
      'This test notices no sabotage that those before it in its row pass over',
    ).toEqual([]);
  });

  /** The last, in the same process: what was broken before is whole again. A row that passed before need not run again. */
  it('are green where nothing that they prove is broken', async () => {
    await rerun.compile();
    const rows = [...seenRed].filter(([name]) => !seenGreen.has(name)).map(([, row]) => row);
    if (rows.length > 0) await run(rows);

    expect(rows.map(nameOf).filter((name) => !seenGreen.has(name))).toEqual([]);
  });
});
