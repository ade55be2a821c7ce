import { defineConfig } from 'vitest/config';
import { isLateBreak } from './test/support/late-break.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE_MS } from './test/support/patience.ts';

/**
 * *pure* needs nothing but Node and finishes in seconds: `npm run check`. *real* gets a real Redis, real processes and a real
 * browser, and is what `npm test` runs besides. *prove* is everything else, and what the other two leave of that which they try in
 * part: `npm run prove`. A folder or a file of these lists decides which.
 */
const notPure = [
  // Measures how reading grows, which a process that has run a hundred files makes noisy.
  'test/app/one-pass.test.ts',
  // Collects garbage, which takes long in a process that has run a hundred files.
  'test/app/agent/forgotten.test.ts',
  // These start Node again and again.
  'test/app/agent/memory/round-trip.test.ts',
  'test/app/config/environment.test.ts',
  'test/app/config/file.test.ts',
  'test/app/tools/folder/*.test.ts',
  'test/interventions/built.test.ts',
  'test/interventions/readme.test.ts',
  'test/checker/**/*.test.ts',
  'test/scenarios/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  'test/app/store/**/*.test.ts',
  'test/app/work/**/*.test.ts',
  'test/app/tools/mcp/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/sandbox/**/*.test.ts',
  'test/security/**/*.test.ts',
];

const named = (folder: string, names: readonly string[]) => names.map((name) => `test/${folder}/${name}.test.ts`);

/** What `npm test` runs of them whole: each kind of proof, as far as minutes go. */
const whole = [
  ...notPure.filter((path) => /^test\/(app\/(agent|config|tools|work)|interventions|checker)\//.test(path)),
  ...named('simulation', ['beginning', 'recorded', 'spoiled-nights']),
  'test/app/one-pass.test.ts',
  ...named('app/store', [
    'check',
    'due',
    'keys',
    'model',
    'open',
    'place',
    'redis',
    'redis-in-time',
    'redis-link',
    'rotate',
  ]),
  ...named('app/store', ['same-answers', 'sealed', 'sqlite-faults']),
  ...named('app/store', ['redis/**/*', 'sqlite/*']),
  ...named('sandbox', ['any-bolt-app', 'closing-sockets', 'http-deliveries', 'people-of-slack', 'plays']),
  ...named('sandbox', ['scripted-model', 'strictness', 'web-api']),
  ...named('scenarios', [
    'deny-with-a-reason',
    'pressing-and-stopping',
    'readme',
    'steering',
    'taken-over-within-a-second',
    'two-approvers',
  ]),
];

/** What it tries in part, as `test/support/amount.ts` says. */
const inPart = [
  ...named('browser', ['plays', 'strip']),
  ...named('simulation', ['random-conversations', 'wild-nights-1', 'wild-nights-2']),
  ...named('scenarios', [
    'approve-a-tool-call',
    'edit-before-approving',
    'kill-points',
    'restart-while-waiting',
    'rights-matrix',
    'trust-for-the-thread',
  ]),
];

/** Pure tests that try a part of what chance may choose. */
const pureInPart = ['test/handlers/views/**/*.test.ts'];

/** A test waits for what it wants to see as long as `patience.ts` says. These limits end what hangs elsewhere. */
const patient = { testTimeout: 1_200_000, hookTimeout: 300_000, expect: { poll: { timeout: PATIENCE_MS } } };
const withServers = { globalSetup: ['test/support/servers.ts'], ...patient };

/** Replicas that stand still because others have the cores prove nothing of what they do when they run. */
const SOAK = 'test/faults/soak.test.ts';

/** Tests of the library in which no loop runs under a profile. */
const withoutProfile = ['built', 'purity', 'readme', 'types'].map((name) => `test/interventions/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: ['default', './test/support/slowest.ts', './test/support/run-alone.ts', './test/support/summary.ts'],
    // Most of a slow test is waiting: as many workers as cores would leave the computer idle.
    maxWorkers: 3,
    // Most of what a test makes is soon garbage. With more room for it, a tenth of the time of the processors is saved.
    execArgv: ['--max-semi-space-size=32'],
    onUnhandledError: (error) => !isLateBreak(error),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...notPure, 'test/walk.test.ts'],
          isolate: false,
          setupFiles: ['test/support/between-files.ts'],
          ...patient,
        },
      },
      {
        test: {
          name: 'reference',
          include: ['test/interventions/**/*.test.ts', 'test/app/agent/**/*.test.ts'],
          exclude: [...notPure, ...withoutProfile],
          isolate: false,
          setupFiles: ['test/support/between-files.ts'],
          ...patient,
          env: { PROFILE: 'reference' },
        },
      },
      { test: { name: 'walk', include: ['test/walk.test.ts'], ...patient } },
      { test: { name: 'real', include: [...whole, ...inPart], ...withServers } },
      {
        test: {
          name: 'prove',
          include: [...notPure, ...pureInPart],
          exclude: [...whole, SOAK],
          // A process of its own for each file costs as much as two starts of a bot.
          isolate: false,
          setupFiles: ['test/support/between-files.ts'],
          env: { PROVE: '1' },
          ...withServers,
        },
      },
      {
        test: { name: 'soak', include: [SOAK], env: { PROVE: '1' }, ...withServers, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
