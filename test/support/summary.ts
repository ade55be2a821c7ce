import type { Reporter, TestModule } from 'vitest/node';
import { PICTURES } from './pictures.ts';

/** Closes every test run with one plain line that a script can read. Before it stands where pictures of a browser were kept. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.children.size === 0 && module.state() === 'failed') counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state !== 'pending') counts[state] += 1;
      }
    }
    const hasPictures = modules.some(({ relativeModuleId }) => relativeModuleId.startsWith('test/browser/'));
    process.on('exit', () => {
      if (hasPictures) process.stdout.write(`Pictures of the browser tests: ${PICTURES}\n`);
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
    });
  }
}
