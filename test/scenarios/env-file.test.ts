import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  sandbox = await startSandbox();
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the bot in a folder of its own, until it says that it runs or ends. Resolves with what it said. */
async function start(env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [resolve('app/main.ts')], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const over = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Countersign is running')) child.kill('SIGKILL');
    });
  });
  await over;
  return said;
}

const write = (...lines: readonly string[]) => writeFileSync(join(folder, '.env'), lines.join('\n'));
const settings = () => [
  `SLACK_API_URL=${sandbox.slackApiUrl}`,
  `SLACK_BOT_TOKEN=${sandbox.botToken}`,
  `SLACK_APP_TOKEN=${sandbox.appToken}`,
  'ANTHROPIC_API_KEY=sk-test',
];

it('a bot starts with the variables of a .env file alone (MF-15)', async () => {
  write(...settings());

  expect(await start({})).toContain('Countersign is running');
});

it('a bot reads a .env file as editors of Windows write it, with a byte order mark (MF-15)', async () => {
  const [first, ...rest] = settings().toReversed();
  write(`\uFEFF${first}\r`, ...rest.map((line) => `${line}\r`));

  expect(await start({})).toContain('Countersign is running');
});

it('a variable of the environment overrides the one in .env (MF-15)', async () => {
  write(...settings());

  expect(await start({ SLACK_BOT_TOKEN: 'xoxb-wrong' })).toContain('Slack refuses SLACK_BOT_TOKEN (invalid_auth)');
});

it('a bot whose DATA_DIR begins with ~ in .env says so, and makes no folder of that name (MF-15)', async () => {
  write(...settings(), 'DATA_DIR=~/countersign');

  expect(await start({})).toBe('DATA_DIR begins with ~, which only a shell replaces. Write the whole path.\n');
  expect(readdirSync(folder)).toEqual(['.env']);
});

it('a bot without a .env file says what is missing (MF-15)', async () => {
  expect(await start({})).toContain('SLACK_BOT_TOKEN is missing');
});
