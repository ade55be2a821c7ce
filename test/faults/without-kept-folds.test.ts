import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { applyPatch, NO_FOLDS, wholeProject } from '../support/patched.ts';

const Report = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
  ),
});

/** The pure tests of these rooms use the recorder or what stands on it. */
const ROOMS = ['approvals', 'assembly', 'authority', 'keeping', 'questions', 'recorder', 'runs', 'work'];

/** These count reads, appends and paintings, and a bot without kept folds does more of them. */
const COUNTING = [
  'assembly/cost.test.ts',
  'questions/painted-later.test.ts',
  'runs/gate/caps.test.ts',
  'runs/telling/one-append.test.ts',
];

it('a bot that keeps no folded journal is slower and nothing else: only the tests that count fail', () => {
  const { folder, remove } = wholeProject();
  try {
    applyPatch(NO_FOLDS, folder);
    const report = join(folder, 'report.json');
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const files = ROOMS.map((room) => `test/app/${room}/`);
    const { stdout, stderr, signal, error } = spawnSync(
      process.execPath,
      [vitest, '--run', '--project=pure', '--reporter=json', `--outputFile=${report}`, ...files],
      // A failing test prints its story. Beyond a megabyte, Node would end the run.
      { cwd: folder, encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY },
    );
    expect(existsSync(report), `No report (${signal}, ${error}):\n${stdout}\n${stderr}`).toBe(true);

    const { numPassedTests, testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
    const failed = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.flatMap(({ fullName, status }) => (status === 'failed' ? [`${name}: ${fullName}`] : [])),
    );
    expect(
      failed.filter((name) => !COUNTING.some((file) => name.includes(`test/app/${file}: `))),
      stdout,
    ).toEqual([]);
    expect(failed).toHaveLength(11);
    expect(numPassedTests).toBeGreaterThan(500);
  } finally {
    remove();
  }
});
