import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const [loop = '', ...programs] = [...readFileSync('interventions/README.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
  ([, text = '']) => text,
);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-readme-'));
  symlinkSync(resolve('interventions'), join(folder, 'interventions'));
  writeFileSync(join(folder, 'loop.ts'), loop);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of the README as it stands there, beside its loop and the library. */
async function run(
  index: number,
  typed: string,
  edit = (program: string) => program,
  args: readonly string[] = [],
): Promise<string> {
  const file = join(folder, `program-${index}.ts`);
  writeFileSync(file, edit(programs[index] ?? ''));
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.stdin.end(typed);
  await new Promise((done) => child.once('close', done));
  return output;
}

describe('the README', () => {
  it('has a loop and four programs', () => {
    expect(loop).toContain('export async function callTool(');
    expect(programs).toHaveLength(4);
  });

  it('has programs that compile under the strictest rules', () => {
    const names = programs.map((program, index) => {
      writeFileSync(join(folder, `typed-${index}.ts`), program);
      return `typed-${index}.ts`;
    });
    const rules = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'];
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const setting = ['--ignoreConfig', '--noEmit', '--target', 'esnext', '--module', 'nodenext'];
    const compiled = spawnSync(
      resolve('node_modules/.bin/tsc'),
      [...setting, '--allowImportingTsExtensions', ...rules, ...types, ...names],
      { cwd: folder, encoding: 'utf8' },
    );

    expect([compiled.stdout, compiled.status]).toEqual(['', 0]);
  });

  it.each([
    ['y\n', 'success deployed'],
    ['n\n', 'error CONFIRMATION_FAILED: A person refused this tool call.'],
    ['', 'error DENIED: The approval callback gave no response for the tool "deploy", which counts as a no.'],
  ])('has a program that gates a tool from the command line (typed: %j)', async (typed, result) => {
    const output = await run(0, typed);

    expect(output).toContain('"production"');
    expect(output).toContain(`(y/n): ${result}`);
  });

  it('has a program that offers trust on the command line when it is enabled', async () => {
    const output = await run(0, 't\n', (program) => program.replace("ask: 'stdio'", "ask: 'stdio', enableTrust: true"));

    expect(output).toContain('(y/n/t): success deployed');
  });

  it('has a program that gates a tool with a slow callback', async () => {
    expect(await run(1, '')).toBe(
      'error CONFIRMATION_FAILED: A person refused this tool call. Their words, quoted: "not on Friday"\n',
    );
  });

  it('has a program in which the person who asked cannot approve', async () => {
    const byAnn = (program: string) => program.replace("'deny', approver: 'ben'", "'approve', approver: 'ann'");
    const byBen = (program: string) => program.replace("'deny', approver: 'ben'", "'approve', approver: 'ben'");

    expect(await run(1, '', byAnn)).toMatch(/^error DENIED: /);
    expect(await run(1, '', byBen)).toBe('success deployed\n');
  });

  it('has a program that steers a model', async () => {
    expect(await run(2, '')).toBe('error GUIDANCE: [countersign:steering] Deploy to staging first.\n');
  });

  it('has a program that pauses, and takes the answer once in a later process (BEY-3, BEY-5)', async () => {
    const later = (...args: string[]) => run(3, '', undefined, args);

    expect(await later()).toMatch(/^waiting \[{"id":/);
    expect(await later('maybe')).toContain('so it is still open. Answer with one of true, false');
    expect(await later('yes')).toBe('success deployed\n');
    expect(await later('yes')).toBe('No question is open.\n');

    await later();
    expect(await later('no')).toBe('error CONFIRMATION_FAILED: A person refused this tool call.\n');
  });

  it('has a loop that goes on with the answers to some of its questions (I-08)', async () => {
    const two = (program: string) =>
      program
        .replace(
          '[new HumanInTheLoop()]',
          "['one', 'two'].map((name) => Object.assign(new HumanInTheLoop(), { name }))",
        )
        .replace('unanswered(interrupts)', 'unanswered(interrupts).slice(0, 1)');
    const later = async (...args: string[]) => (await run(3, '', two, args)).slice(0, 7);

    expect([await later(), await later('yes'), await later('yes')]).toEqual(['waiting', 'waiting', 'success']);
  });

  it('has a loop for which an answer counts for that input alone (BEY-2)', async () => {
    await run(3, '');
    const elsewhere = await run(3, '', (program) => program.replaceAll('production', 'elsewhere'), ['yes']);

    expect(elsewhere).toMatch(/^waiting /);
  });
});
