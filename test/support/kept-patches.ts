import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Changes of the sources that are kept: they show how many product files a new button and a new kind of question touch. */

export const NEW_BUTTON = 'test/fixtures/new-button.patch';
export const FILES_OF_A_BUTTON = 5;

/** The agent lets its requester choose one of two ways. */
export const NEW_QUESTION = 'test/fixtures/new-question.patch';
export const FILES_OF_A_QUESTION = 4;

const PRODUCT = /^(app|handlers|interventions|sandbox)\/|^manifest\.yml$/;

/** How a patch that does not fit any more is written anew. */
export const writeAnew = (patch: string): string =>
  `${patch} is out of date. In a clean working tree run \`git apply --3way ${patch}\`, mend what is left, \
check with \`npm run types\`, run \`git add --all app handlers && git diff --cached -U1 -- app handlers > new.patch\`, go back with \`git reset --hard\`, \
and put new.patch in its place.`;

export function productFilesOf(patch: string): readonly string[] {
  const files = [...readFileSync(patch, 'utf8').matchAll(/^diff --git a\/(\S+) b\//gm)].map(([, file]) => file ?? '');
  return files.filter((file) => PRODUCT.test(file));
}

/** What git says against it; empty when the patch fits. */
export function problemApplying(patch: string, folder: string, ...flags: readonly string[]): string {
  // Git must not take a repository around the folder for the one that is meant.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(resolve(folder)) };
  const { error, status, stderr } = spawnSync('git', ['apply', ...flags, resolve(patch)], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error('This test needs git. Install it and run the test again.', { cause: error });
  return status === 0 ? '' : stderr;
}

/** What the compiler says against the product in this copy; empty when its types fit. */
export function typeErrors(folder: string): string {
  const project = join(folder, 'tsconfig.json');
  const include = ['app', 'handlers', 'interventions', 'sandbox'];
  writeFileSync(project, JSON.stringify({ extends: resolve('tsconfig.json'), include }));
  const { status, stdout, stderr } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}
