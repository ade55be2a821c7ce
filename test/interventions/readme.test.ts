import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const programs = [...readFileSync('interventions/README.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
  ([, text = '']) => text,
);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-readme-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of the README as it stands there, with the two names it imports leading to real files. */
async function run(index: number, typed: string, edit = (program: string) => program): Promise<string> {
  const file = join(folder, `program-${index}.ts`);
  const url = (path: string) => pathToFileURL(resolve(path)).href;
  const program = (programs[index] ?? '')
    .replaceAll("'interventions'", `'${url('interventions/index.ts')}'`)
    .replaceAll("'scripted-loop'", `'${url('test/interventions/fixtures/scripted-loop.ts')}'`);
  writeFileSync(file, edit(program));
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.stdin.end(typed);
  await new Promise((done) => child.once('close', done));
  return output;
}

describe('the README', () => {
  it('has three programs', () => {
    expect(programs).toHaveLength(3);
  });

  it.each([
    ['y\n', 'deploy-1: success deployed'],
    ['n\n', 'deploy-1: error CONFIRMATION_FAILED: A person refused this tool call.'],
    ['', 'deploy-1: error DENIED: The approval callback gave no response for the tool "deploy", which counts as a no.'],
  ])('has a program that gates a tool from the command line (typed: %j)', async (typed, result) => {
    const output = await run(0, typed);

    expect(output).toContain('"production"');
    expect(output).toContain(`(y/n): ${result}`);
  });

  it('has a program that offers trust on the command line when it is enabled', async () => {
    const output = await run(0, 't\n', (program) => program.replace("ask: 'stdio'", "ask: 'stdio', enableTrust: true"));

    expect(output).toContain('(y/n/t): deploy-1: success deployed');
  });

  it('has a program that gates a tool with a slow callback', async () => {
    expect(await run(1, '')).toBe(
      'deploy-1: error CONFIRMATION_FAILED: A person refused this tool call. Their words, quoted: "not on Friday"\n',
    );
  });

  it('has a program that steers a model', async () => {
    expect(await run(2, '')).toBe('deploy-1: error GUIDANCE: [countersign:steering] Deploy to staging first.\n');
  });
});
