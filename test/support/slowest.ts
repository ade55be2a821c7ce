import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the files that took longest, so that a slow one is seen in the run that made it slow. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ name: nameOf(module), ms: module.diagnostic().duration }));
    const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, SHOWN);
    if (files.length <= SHOWN) return;
    const lines = slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(`\nSlowest files of ${files.length}:\n${lines.join('\n')}\n`);
  }
}

const nameOf = (module: TestModule): string => `${module.project.name}: ${module.relativeModuleId}`;
