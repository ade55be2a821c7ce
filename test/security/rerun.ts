import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { z } from 'zod';
import { compileCopy } from '../support/compiled/compile.ts';
import { applyPatch, type Patch, wholeProject } from '../support/patched.ts';
import type { NamedTest } from '../support/promises.ts';

/** A copy of the project, and one vitest in it that stays: starting it for each sabotage takes longer than most tests. */
export interface Rerun {
  /** Changes the copy, and returns how it is taken back. */
  readonly patch: (patch: Patch) => () => void;
  /** Runs these tests in the copy as it is now. With `bail` the first that fails is the last. */
  readonly run: (tests: readonly NamedTest[], options?: { readonly bail?: boolean }) => Promise<readonly Result[]>;
  /** From here on the copy stays as it is, and its bots start faster. */
  readonly compile: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the vitest in the copy is asked. */
export const Asked = z.object({
  files: z.array(z.string()),
  titles: z.string(),
  /** What is otherwise than when it was asked before. */
  changed: z.array(z.string()),
  bail: z.boolean(),
});

export type Asked = z.infer<typeof Asked>;

const Result = z.object({ file: z.string(), fullName: z.string(), status: z.string(), failures: z.array(z.string()) });
export type Result = z.infer<typeof Result>;

/** How long a test waits in the copy for what a broken bot never shows. */
const PATIENCE_MS = '12000';

/** Of the processes that run in the copy: what they compile goes with it. */
const TMP = 'tmp';

export function startRerun(): Rerun {
  const copy = wholeProject();
  const tmp = join(copy.folder, TMP);
  mkdirSync(tmp);
  const { PATH = '', HOME = '' } = process.env;
  const child = fork(join(copy.folder, 'test/security/rerun-main.ts'), {
    cwd: copy.folder,
    env: { PATH, HOME, TMPDIR: tmp, NODE_ENV: 'test', BOTS_FROM_SOURCES: '1', PATIENCE_MS },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = collect(child);
  const gone = once(child, 'exit');
  const changed = new Set<string>();

  return {
    patch: (patch) => {
      const restore = applyPatch(patch, copy.folder);
      changed.add(patch.file);
      return () => {
        restore();
        changed.add(patch.file);
      };
    },
    run: async (tests, { bail = false } = {}) => {
      const asked: Asked = {
        files: [...new Set(tests.map(({ file }) => file))],
        titles: tests.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
        changed: [...changed],
        bail,
      };
      changed.clear();
      const answer = once(child, 'message');
      child.send(asked);
      const [answered] = await Promise.race([answer, gone.then(() => [])]);
      const results = z.array(Result).safeParse(answered);
      if (!results.success) throw new Error(`The tests did not run in the copy:\n${said()}`);
      return results.data;
    },
    compile: async () => void (await compileCopy(copy.folder, inject('compiledBot'))),
    close: async () => {
      if (child.connected) child.disconnect();
      await gone;
      copy.remove();
    },
  };
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += `${chunk}`));
  return () => text;
}
