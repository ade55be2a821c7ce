import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { given } from '../../../app/given.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { PATIENCE_MS } from '../patience.ts';
import type { Env, Trouble } from './trouble.ts';

/** What the real bot says of a trouble, as an operator reads it at a terminal: to its end, or to the first warning. */
export function saidAtStart(trouble: Trouble, sandbox: Sandbox): Promise<string> {
  return meet(trouble, sandbox, (folder, env) => startBot(folder, env));
}

/** A bot that begins to start in this folder. */
export interface StartingBot {
  /** Resolves when it runs, or is gone. */
  readonly runs: () => Promise<void>;
  readonly says: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

/** Has bots meet the trouble in a folder of their own. Their words name the folder `/srv/bot`. */
export async function meet(
  { env = {}, files = {}, ...trouble }: Trouble,
  sandbox: Sandbox,
  start: (folder: string, env: Env) => StartingBot,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  writeAll(folder, files);
  await trouble.prepare?.(folder);
  const bot = (changes: Env) => start(folder, { ...settings(sandbox), ...changes });
  const bots: StartingBot[] = [];
  const begin = async (changes: Env) => {
    const one = bot(changes);
    bots.push(one);
    await one.runs();
    return one;
  };
  try {
    for (const changes of trouble.before ?? []) await (await begin(changes)).end();
    if (trouble.beside !== undefined) await begin(trouble.beside);
    writeAll(folder, trouble.changed ?? {});
    const one = bot(env);
    bots.push(one);
    const said = await one.says();
    if (said.length === 0) throw new Error(`A bot that was to meet ${trouble.what} said nothing. Correct the trouble.`);
    return said.join('\n').replaceAll(folder, '/srv/bot').trimEnd();
  } finally {
    for (const each of bots) await each.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const settings = ({ slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox): Env => ({
  ...{ SLACK_API_URL: slackApiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
  ...{ ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: anthropicBaseUrl },
  ...given({ PATH: process.env.PATH }),
});

/** As `npm start` does. */
const START = ['-r', resolve('app/commands/old-node.cjs'), resolve('app/main.ts')];

/** How long a bot has to say the rest behind its first words. All bots of the troubles start at once. */
const REST_MS = 1_000;

/** Waits until a bot has said something, and for the rest behind its first words. One that runs gets the time to warn. */
export async function toItsWords(said: () => readonly string[], running: Promise<unknown>, gone: Promise<unknown>) {
  await Promise.race([
    until(() => said().length > 0),
    running.then(() => pause(PATIENCE_MS, undefined, { ref: false })),
  ]);
  await Promise.race([pause(REST_MS), gone]);
}

function startBot(folder: string, env: Env): StartingBot {
  const child = spawn(process.execPath, START, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said: readonly string[] = [];
  let rest = '';
  let isRunning = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    isRunning ||= lines.some((line) => line.includes('Countersign is running'));
    said = [...said, ...lines.flatMap(troubleIn)];
  });
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const gone = new Promise<void>((end) => child.once('close', () => end()));
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  const runs = () => until(() => isRunning || isGone());
  return {
    runs,
    end,
    says: async () => {
      await toItsWords(() => said, runs(), gone);
      await end();
      return said;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20);
}

/** A warning or an error of the log, without its time and its stack. What is no line of the log stays as it is. */
export function troubleIn(line: string): readonly string[] {
  if (!line.startsWith('{"time"')) return [line];
  const { level, message, time: _time, error, ...fields } = JSON.parse(line);
  if (level === 'debug' || level === 'info') return [];
  const more = { ...fields, ...(error === undefined ? {} : { error: error.message ?? error }) };
  return [`${level}: ${message}${Object.keys(more).length === 0 ? '' : ` ${JSON.stringify(more)}`}`];
}
