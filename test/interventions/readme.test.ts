import { spawn } from 'node:child_process';
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
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of the README as it stands there, beside its loop and the library. */
async function run(index: number, typed: string, edit = (program: string) => program): Promise<string> {
  return runText(`program-${index}.ts`, edit(programs[index] ?? ''), typed);
}

async function runText(name: string, program: string, typed = ''): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.stdin.end(typed);
  await new Promise((done) => child.once('close', done));
  return output;
}

describe('the README', () => {
  it('has a loop and three programs', () => {
    expect(loop).toContain('export async function callTool(');
    expect(programs).toHaveLength(3);
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

  it('has a loop that pauses, and goes on with an answer that counts for that input alone', async () => {
    const output = await runText(
      'pause.ts',
      `
      import { applyAnswers, HumanInTheLoop } from './interventions/index.ts';
      import { callTool } from './loop.ts';
      const gate = new HumanInTheLoop();
      const waiting = await callTool([gate], { to: 'production' });
      const interrupts = JSON.parse(waiting.slice('waiting '.length));
      const blocks = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: 'yes' } }));
      const answers = applyAnswers(blocks, { interrupts, spent: [], nowMs: Date.now() });
      console.log(await callTool([gate], { to: 'production' }, answers.interrupts));
      console.log((await callTool([gate], { to: 'elsewhere' }, answers.interrupts)).slice(0, 7));
      `,
    );

    expect(output).toBe('success deployed\nwaiting\n');
  });
});
