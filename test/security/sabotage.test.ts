import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applyPatch, type Patched, wholeProject } from '../support/patched.ts';
import { type NamedTest, promisesOf } from '../support/promises.ts';
import { SABOTAGES } from './sabotage.ts';

/*
 * Tests of the tests that SECURITY.md names: each sabotage breaks one line in a copy of the project, and the tests named for
 * that promise run there, until one of them goes red. A test that stays green proves nothing.
 */

const MINUTE_MS = 60_000;
const promises = promisesOf();

let copy: Patched;
beforeAll(() => {
  copy = wholeProject();
  mkdirSync(join(copy.folder, TMP));
});
afterAll(() => copy?.remove());

/** Of the processes that run in the copy: what they compile goes with it. */
const TMP = 'tmp';
const REPORT = join(TMP, 'report.json');

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

type Colour = 'green' | 'red' | 'not-run' | 'broken';

/** What became of each of these tests in the copy as it is now. */
async function run(tests: readonly NamedTest[], ...flags: readonly string[]): Promise<ReadonlyMap<NamedTest, Colour>> {
  const files = [...new Set(tests.map(({ file }) => file))];
  const titles = tests.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TMPDIR: join(copy.folder, TMP) };
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    '-t',
    titles,
    '--reporter=json',
    `--outputFile=${REPORT}`,
    ...flags,
  ];
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: copy.folder, env, maxBuffer: 2 ** 28 }, (_error, out, err) =>
      resolve(out + err),
    );
  });
  const { testResults } = Report.parse(readReport(said));
  return new Map(
    tests.map((test) => {
      const results = testResults
        .filter(({ name }) => name.endsWith(test.file))
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ fullName, status }) => fullName.includes(test.title) && ['passed', 'failed'].includes(status));
      return [test, colourOf(results)];
    }),
  );
}

function readReport(said: string): unknown {
  try {
    return JSON.parse(readFileSync(join(copy.folder, REPORT), 'utf8'));
  } catch (cause) {
    throw new Error(`The tests did not run in the copy:\n${said}`, { cause });
  }
}

/** What an assertion says, or the sandbox when what a test waits for is never seen. */
const ASSERTED = /^(AssertionError|Error: Not seen within )/;

type Result = z.infer<typeof Report>['testResults'][number]['assertionResults'][number];

function colourOf(results: readonly Result[]): Colour {
  if (results.length === 0) return 'not-run';
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return 'green';
  return failed.some(({ failureMessages }) => failureMessages.some((said) => ASSERTED.test(said))) ? 'red' : 'broken';
}

/** They run in the order of the page, where the quick ones come first. */
async function firstRed(tests: readonly NamedTest[]): Promise<NamedTest | undefined> {
  for (const test of tests) {
    const colours = await run([test], '--bail=1');
    if (colours.get(test) === 'red') return test;
  }
  return undefined;
}

const nameOf = ({ file, title }: NamedTest): string => `${file} ${title}`;

describe('the tests that SECURITY.md names', () => {
  it('are green where nothing is broken', { timeout: 10 * MINUTE_MS }, async () => {
    const colours = await run(
      promises.flatMap(({ tests }) => tests),
      '--maxWorkers=1',
    );

    expect([...colours].filter(([, colour]) => colour !== 'green').map(([test]) => nameOf(test))).toEqual([]);
  });

  it.each(promises)('go red where this promise is broken: $promise', { timeout: 20 * MINUTE_MS }, async (kept) => {
    const { promise, tests } = kept;
    const content: string[] = [];
    const noticed = new Set<NamedTest>();
    for (const { what, patch } of SABOTAGES.filter((sabotage) => sabotage.promise === promise)) {
      const restore = applyPatch(patch, copy.folder);
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
});
