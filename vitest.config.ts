import { defineConfig } from 'vitest/config';
import { isLateBreak } from './test/support/late-break.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Pure tests need nothing but Node and finish in seconds; the others get a real Redis, real processes or a real browser.
 * A folder name decides which: `checker`, `scenarios`, `faults`, `simulation`, `store`, `work`, `mcp`, `sandbox` and `browser`
 * hold the slow ones.
 */
const slow = [
  // Collects garbage, which takes long in a process that has run a hundred files.
  'test/app/agent/forgotten.test.ts',
  'test/checker/**/*.test.ts',
  'test/scenarios/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  'test/app/store/**/*.test.ts',
  'test/app/work/**/*.test.ts',
  'test/app/tools/mcp/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/sandbox/**/*.test.ts',
];

/** Tests of the library in which no loop runs under a profile. */
const withoutProfile = ['built', 'purity', 'readme', 'types'].map((name) => `test/interventions/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary.ts'],
    // Most of a slow test is waiting: as many workers as cores would leave the computer idle.
    maxWorkers: 3,
    onUnhandledError: (error) => !isLateBreak(error),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, 'test/walk.test.ts'],
          isolate: false,
          setupFiles: ['test/support/between-files.ts'],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'reference',
          include: ['test/interventions/**/*.test.ts', 'test/app/agent/**/*.test.ts'],
          exclude: [...slow, ...withoutProfile],
          isolate: false,
          setupFiles: ['test/support/between-files.ts'],
          testTimeout: 10_000,
          env: { PROFILE: 'reference' },
        },
      },
      { test: { name: 'walk', include: ['test/walk.test.ts'] } },
      {
        test: {
          name: 'real',
          include: slow,
          globalSetup: ['test/support/servers.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
