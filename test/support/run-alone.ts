import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** More failures than these have one cause, and nobody runs them one by one. */
const MOST = 10;

/** Prints, for each test that failed, the command that runs it alone. */
export default class RunAlone implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
    if (failed.length === 0) return;
    const commands = failed.slice(0, MOST).map((test) => `  ${commandOf(test)}`);
    process.stdout.write(`\nRun a failed test alone:\n${commands.join('\n')}\n`);
  }
}

function commandOf({ project, module, fullName }: TestCase): string {
  // What a shell or a pattern would read as a sign of its own matches any character.
  const title = fullName.replace(/[^\p{L}\p{N} ,:>-]/gu, '.');
  return `npx vitest run --project ${project.name} ${module.relativeModuleId} -t '${title}'`;
}
