import { dirname } from 'node:path';
import type { Copy } from './copy.ts';
import type { Fault } from './faults.ts';
import { type Outcome, tryTests } from './trial.ts';

const isOfStore = (file: string): boolean => file.startsWith('app/store/');

interface Choice {
  readonly name: string;
  readonly sees: (file: string) => boolean;
  readonly args: (files: readonly string[]) => readonly string[];
}

/** Beside the file, where most faults are seen within seconds. A folder without tests sees none. */
const NEAR: Choice = {
  name: 'pure tests at the mirrored path',
  sees: (file) => !isOfStore(file),
  args: (files) => [
    'run',
    '--project=pure',
    '--passWithNoTests',
    ...new Set(files.map((file) => `test/${dirname(file)}/`)),
  ],
};
const RELATED: Choice = {
  name: 'related pure tests',
  sees: () => true,
  args: (files) => ['related', ...files, '--project=pure'],
};
const ALL: Choice = { name: 'pure tests', sees: () => true, args: () => ['run', '--project=pure'] };

/** Most of a store can only be seen against a real one. `related` would take every test that starts a bot along. */
const STORE: Choice = {
  name: 'tests of the store in npm test',
  sees: isOfStore,
  args: () => ['run', '--project=real', 'test/app/store'],
};

export interface Suite {
  /** Tries a fault with every choice of tests that sees its file, the ones that see most of it first. */
  readonly tryFault: (copy: Copy, fault: Fault) => Promise<Outcome>;
}

/** A time limit that grows with the machine: a test run takes longer than this only where it hangs. */
const limitAfter = (ms: number): number => 30_000 + Math.round((3 * ms) / 1000) * 1000;
const UNCHANGED_LIMIT_MS = 20 * 60_000;

/** Runs the tests on the unchanged copy, which has to be green, and learns how long they take. */
export async function openSuite(
  copy: Copy,
  faults: readonly Fault[],
  { withAll, say }: { readonly withAll: boolean; readonly say: (line: string) => void },
): Promise<Suite> {
  const files = [...new Set(faults.map(({ file }) => file))];
  const limits = new Map<Choice, number>();
  for (const choice of [NEAR, STORE, withAll ? ALL : RELATED]) {
    const seen = files.filter(choice.sees);
    if (seen.length === 0) continue;
    const begun = performance.now();
    const outcome = await tryTests(copy, { args: choice.args(seen), limitMs: UNCHANGED_LIMIT_MS, workers: 2 });
    const ms = performance.now() - begun;
    if (outcome.type !== 'green') {
      const why = outcome.type === 'red' ? `red in ${outcome.by}` : `not done in ${outcome.seconds} s`;
      throw new Error(
        `Without a fault, the ${choice.name} are ${why}. Make them green first: a fault is only seen by a test that passes without it.`,
      );
    }
    const limitMs = limitAfter(ms);
    limits.set(choice, limitMs);
    say(
      `Without a fault, the ${choice.name} are green in ${Math.round(ms / 1000)} s. A fault that keeps them over ${limitMs / 1000} s counts as seen.`,
    );
  }
  return {
    tryFault: async (target, fault) => {
      const mend = target.breakBy(fault);
      try {
        for (const [choice, limitMs] of limits) {
          if (!choice.sees(fault.file)) continue;
          const outcome = await tryTests(target, { args: choice.args([fault.file]), limitMs, workers: 1 });
          if (outcome.type !== 'green') return outcome;
        }
        return { type: 'green' };
      } finally {
        mend();
      }
    },
  };
}
