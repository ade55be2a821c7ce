import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANN, BOT, OPS } from '../../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { type CompiledBot, startOf } from './compile.ts';

/** Runs one bot through an approved call. `run.ts` keeps the code that V8 made meanwhile for all bots that follow. */
export async function warm({ folder }: CompiledBot): Promise<void> {
  const sandbox = await startSandbox({ patienceMs: 60_000 });
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-warm-'));
  const { args, env } = startOf(folder);
  const bot = spawn(process.execPath, [KEEPS_ALL, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      SLACK_API_URL: sandbox.slackApiUrl,
      SLACK_BOT_TOKEN: sandbox.botToken,
      SLACK_APP_TOKEN: sandbox.appToken,
      ANTHROPIC_BASE_URL: sandbox.anthropicBaseUrl,
      ANTHROPIC_API_KEY: 'sk-test',
      COUNTERSIGN_CONFIG: 'example/countersign.config.ts',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  bot.stderr.on('data', (words) => (said += `${words}`));
  const gone = new Promise<never>((_, reject) => {
    bot.once('exit', (code) =>
      reject(new Error(`The compiled bot ended with ${code}. Do the sources start?\n${said}`)),
    );
  });
  try {
    await Promise.race([approve(sandbox), gone]);
  } finally {
    bot.kill();
    await gone.catch(() => {});
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** V8 drops the code of functions that were not called for a while. */
const KEEPS_ALL = '--no-flush-bytecode';

async function approve({ sockets, world }: Sandbox): Promise<void> {
  await world.until(() => sockets.count() > 0, { what: 'the first bot connects' });
  const root = await world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  const isCard = ({ blocks }: { readonly blocks: unknown }) => JSON.stringify(blocks).includes('"approval_approve"');
  const card = await world.until(() => world.messages(root).find(isCard), { what: 'the first card' });
  await world.press(ANN, card, 'approval_approve');
  await world.until(() => world.session(root).status === 'active', { what: 'the first run ends' });
}
