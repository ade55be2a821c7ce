import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Copy } from './copy.ts';

export type Outcome =
  | { readonly type: 'green' }
  | { readonly type: 'red'; readonly by: string }
  /** The tests did not end within their limit, which a person would see as well. */
  | { readonly type: 'time-out'; readonly seconds: number };

/** One run of vitest. */
export interface Run {
  readonly args: readonly string[];
  readonly limitMs: number;
  readonly workers: number;
}

const running = new Set<ChildProcess>();

/** With the processes that the tests have started: vitest leads a group of its own. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

export function killAll(): void {
  for (const child of running) kill(child);
}

export async function tryTests(copy: Copy, { args, limitMs, workers }: Run): Promise<Outcome> {
  const report = join(copy.scratch, 'report.json');
  rmSync(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...args,
      ...['--run', '--bail=1', `--maxWorkers=${workers}`, '--reporter=json', `--outputFile=${report}`],
      // On a busy machine, a test may be late once without any fault.
      '--retry=1',
      ...['--no-cache', `--fsModuleCachePath=${join(copy.scratch, 'modules')}`],
    ],
    {
      cwd: copy.folder,
      env: { ...process.env, TMPDIR: copy.scratch, NO_COLOR: '1' },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  running.add(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  const { code, late } = await ended(child, limitMs);
  running.delete(child);
  if (late) return { type: 'time-out', seconds: limitMs / 1000 };
  if (code === 0) return { type: 'green' };
  return { type: 'red', by: firstRed(report, copy.folder) ?? lastLine(said) ?? `vitest, which ended with ${code}` };
}

function ended(
  child: ChildProcess,
  limitMs: number,
): Promise<{ readonly code: number | null; readonly late: boolean }> {
  return new Promise((resolve, reject) => {
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      kill(child);
    }, limitMs);
    child.on('error', reject);
    // Processes that the tests left behind would keep the output open.
    child.on('exit', () => kill(child));
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, late });
    });
  });
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** The test that failed, or the file that did not even load. Files that were not reached any more say nothing. */
function firstRed(report: string, folder: string): string | undefined {
  const { testResults } = Report.parse(readJson(report) ?? { testResults: [] });
  const red = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `${relative(folder, name)}: ${test.fullName}`),
  );
  const unread = testResults.flatMap(({ name, message = '' }) =>
    message === '' ? [] : [`${relative(folder, name)}: ${message.split('\n')[0]}`],
  );
  return red[0] ?? unread[0];
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // It was not written: vitest ended before.
    return undefined;
  }
}

const lastLine = (text: string): string | undefined => text.trim().split('\n').at(-1) || undefined;
