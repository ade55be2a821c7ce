import { resolve } from 'node:path';
import { createVitest, type Reporter, type TestCase } from 'vitest/node';
import { Asked, type Result } from './rerun.ts';

/* `rerun.ts` starts this in its copy of the project and asks it, again and again, to run some tests. */

let bails = false;
/** The bail of vitest also counts what failed in the runs before. */
const reporter: Reporter = {
  onTestCaseResult: (test) => {
    // It resolves when the run is over, and the run waits for this.
    if (bails && test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure');
  },
};
const vitest = await createVitest({ watch: false, maxWorkers: 1, reporters: [reporter] });

process.once('disconnect', () => void vitest.close().finally(() => process.exit()));
process.on('message', (message) => {
  answer(Asked.parse(message)).then(
    (results) => process.send?.(results),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.send?.('failed');
    },
  );
});

async function answer({ files, titles, changed, bail }: Asked): Promise<readonly Result[]> {
  bails = bail;
  for (const file of changed) vitest.invalidateFile(resolve(file));
  vitest.setGlobalTestNamePattern(new RegExp(titles));
  // A file that two projects have proves the same in either.
  const found = await vitest.globTestSpecifications(files);
  const all = [...new Map(found.toReversed().map((one) => [one.moduleId, one])).values()];
  await vitest.runTestSpecifications(all);
  return all.flatMap(({ testModule }) => [...(testModule?.children.allTests() ?? [])]).map(resultOf);
}

function resultOf(test: TestCase): Result {
  const { state, errors = [] } = test.result();
  return {
    file: test.module.relativeModuleId,
    fullName: test.fullName,
    status: state,
    failures: errors.map(({ stack, message }) => stack ?? message),
  };
}
