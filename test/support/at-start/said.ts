import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { given } from '../../../app/given.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import type { Env, Trouble } from './troubles.ts';

/** What the real bot says of a trouble, as an operator reads it at a terminal: to its end, or to the first warning. */
export async function saidAtStart({ env = {}, files = {}, ...trouble }: Trouble, sandbox: Sandbox): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  trouble.prepare?.(folder);
  const bot = (changes: Env) => startBot(folder, { ...settings(sandbox), ...changes });
  const others = [trouble.before, trouble.beside].flatMap((changes) => (changes === undefined ? [] : [bot(changes)]));
  try {
    for (const other of others) await other.runs();
    if (trouble.before !== undefined) await others[0]?.end();
    const said = await bot(env).says();
    return said.replaceAll(folder, '/srv/bot').trimEnd();
  } finally {
    for (const other of others) await other.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settings = ({ slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox): Env => ({
  ...{ SLACK_API_URL: slackApiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
  ...{ ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: anthropicBaseUrl },
  ...given({ PATH: process.env.PATH }),
});

/** As `npm start` does. */
const START = ['-r', resolve('app/commands/old-node.cjs'), resolve('app/main.ts')];

/** How long a bot has to say the rest behind its first words, and to warn behind its start. */
const REST_MS = 300;
const WARN_MS = 5_000;

function startBot(folder: string, env: Env) {
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
      await Promise.race([until(() => said.length > 0), runs().then(() => pause(WARN_MS))]);
      await Promise.race([pause(REST_MS), gone]);
      await end();
      if (said.length === 0)
        throw new Error(`A bot that was to meet trouble at its start said nothing: ${rest}. Correct the trouble.`);
      return said.join('\n');
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20);
}

/** A warning or an error of the log, without its time and its stack. What is no line of the log stays as it is. */
function troubleIn(line: string): readonly string[] {
  if (!line.startsWith('{"time"')) return [line];
  const { level, message, time: _time, error, ...fields } = JSON.parse(line);
  if (level === 'debug' || level === 'info') return [];
  const more = { ...fields, ...(error === undefined ? {} : { error: error.message ?? error }) };
  return [`${level}: ${message}${Object.keys(more).length === 0 ? '' : ` ${JSON.stringify(more)}`}`];
}
