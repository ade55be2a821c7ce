import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from './demo/manifest.ts';
import { freePort, isFree } from './demo/ports.ts';
import { startProgram } from './demo/program.ts';
import { lastWords, superviseBot } from './demo/supervisor.ts';
import { type Sandbox, startSandbox } from './server.ts';

/**
 * `npm run demo`: the sandbox, and the real bot against it. It prints one line when a person may begin. It prints more
 * only if something goes wrong or `LOG_LEVEL` asks for the log of the bot.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PORT = 4747;
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
/** Slow enough to watch an answer being written. */
const PIECE_DELAY_MS = 12;

const { env } = process;
const keptData = env.DEMO_DATA_DIR;
const data = resolve(keptData ?? mkdtempSync(join(tmpdir(), 'countersign-demo-')));
mkdirSync(data, { recursive: true });
const interrupted = signalled();

const sandbox = await openSandbox();
const environment = await environmentFor(sandbox);
const bot = superviseBot({
  start: () =>
    startProgram({
      file: resolve(process.argv[2] ?? join(ROOT, 'app', 'main.ts')),
      // The bot reads the `.env` of its folder. The one of the project could lead it to the real Slack.
      folder: data,
      environment,
      onOutput: (text) => {
        if (env.LOG_LEVEL !== undefined) process.stderr.write(text);
      },
    }),
  connections: sandbox.sockets.count,
  onConnection: sandbox.world.onChange,
  onChange: () => sandbox.show(bot.isAway() ? { notice: 'The bot is gone. It comes back by itself…' } : {}),
});

const began = await Promise.race([
  sandbox.world
    .until(() => sandbox.sockets.count() > 0, { withinMs: READY_WITHIN_MS })
    .then(
      () => 'ready' as const,
      () => 'late' as const,
    ),
  bot.gaveUp.then(() => 'ended' as const),
  interrupted.then(() => 'interrupted' as const),
]);
if (began === 'ready') {
  process.stdout.write(`Countersign is ready: ${sandbox.page}\n`);
  await Promise.race([bot.gaveUp.then(leave), interrupted]);
}
if (began === 'ended') await leave(await bot.gaveUp);
if (began === 'late')
  await leave(`Countersign did not connect within ${READY_WITHIN_MS / 1000} s.${lastWords(bot.program())}`);
await leave(undefined);

async function openSandbox(): Promise<Sandbox> {
  const asked = env.PORT === undefined || env.PORT === '' ? undefined : Number(env.PORT);
  if (asked !== undefined && !(await isFree(asked))) {
    process.stderr.write(`Port ${env.PORT} is taken or is no port. Set PORT to a free one, or leave it out.\n`);
    process.exit(1);
  }
  const port = asked ?? ((await isFree(PORT)) ? PORT : await freePort());
  return startSandbox({ port, pieceDelayMs: PIECE_DELAY_MS, ...readManifest(join(ROOT, 'manifest.yml')) });
}

/** The addresses of the sandbox, without any variable that could lead the bot to the real Slack. */
async function environmentFor({ slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox) {
  const elsewhere = /^(SLACK_|REDIS_|DATA_|HOST$|PORT$|PUBLIC_URL$|COUNTERSIGN_)/;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !elsewhere.test(name)));
  const realModel = env.ANTHROPIC_API_KEY !== undefined && env.ANTHROPIC_API_KEY !== '';
  return {
    ...own,
    ...(realModel ? {} : { ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: anthropicBaseUrl }),
    SLACK_API_URL: slackApiUrl,
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    DATA_DIR: data,
    COUNTERSIGN_CONFIG: join(ROOT, 'example', 'countersign.config.ts'),
    LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
    PORT: `${await freePort()}`,
  };
}

function signalled(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('interrupted'));
  });
}

/** The bot stops first, because it may still have something to post. */
async function leave(problem: string | undefined): Promise<never> {
  await bot.stop(STOP_WITHIN_MS);
  await sandbox.close();
  if (keptData === undefined) rmSync(data, { recursive: true, force: true });
  if (problem !== undefined) process.stderr.write(`${problem}\n`);
  process.exit(problem === undefined ? 0 : 1);
}
