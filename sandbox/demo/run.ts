import { join, resolve } from 'node:path';
import { type Sandbox, startSandbox } from '../server.ts';
import { environmentFor } from './environment.ts';
import type { DemoFolder } from './folder.ts';
import { readManifest } from './manifest.ts';
import type { DemoOptions } from './options.ts';
import { pathInCommand, ROOT } from './paths.ts';
import { freePort, isFree } from './ports.ts';
import { startProgram } from './program.ts';
import { lastWords, type SupervisedBot, superviseBot } from './supervisor.ts';
import { tallyOf } from './tricks/tally.ts';
import { tricksOn } from './tricks/tricks.ts';
import { witnessIn } from './tricks/witness.ts';

const PORT = 4747;
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
/** Slow enough to watch an answer being written. */
const PIECE_DELAY_MS = 12;

/** Runs the demo until it is told to stop, or cannot go on. Then it ends the process. */
export async function runDemo(options: DemoOptions, folder: DemoFolder): Promise<never> {
  const interrupted = signalled();
  const port = await choosePort(options, folder);
  if (port === undefined)
    return end(`Port ${options.port} is taken or is no port. Set PORT to a free one, or leave it out.`);
  const sandbox = await startSandbox({
    port,
    pieceDelayMs: PIECE_DELAY_MS,
    keptIn: { file: join(folder.path, 'workspace.json'), onTrouble: complain },
    ...readManifest(join(ROOT, 'manifest.yml')),
  });
  folder.take(Number(new URL(sandbox.url).port));
  const bot = await startBot(options, folder, sandbox);

  const ready = sandbox.world
    .until(() => sandbox.sockets.count() > 0, { withinMs: READY_WITHIN_MS })
    .then(
      () => 'ready' as const,
      () => 'late' as const,
    );
  const gaveUp = bot.gaveUp.then((problem) => ({ problem }));
  const began = await Promise.race([ready, gaveUp, interrupted]);
  if (began === 'ready') {
    process.stdout.write(`Countersign is ready: ${sandbox.page}\n`);
    process.stdout.write(`To check its journals: DATA_DIR=${pathInCommand(folder.path)} npm run audit -- verify\n`);
  }
  const ended = began === 'ready' ? await Promise.race([gaveUp, interrupted]) : began;
  // The bot stops first, because it may still have something to post.
  await bot.stop(STOP_WITHIN_MS);
  await sandbox.close();
  folder.leave();
  if (ended === 'late')
    return end(`Countersign did not connect within ${READY_WITHIN_MS / 1000} s.${lastWords(bot.program())}`);
  return end(typeof ended === 'string' ? undefined : ended.problem);
}

/** Starts the bot under supervision, and shows on the page what can be done to it. */
async function startBot(options: DemoOptions, folder: DemoFolder, sandbox: Sandbox): Promise<SupervisedBot> {
  const environment = await environmentFor(sandbox, folder.path);
  let variables: NodeJS.ProcessEnv = {};
  const bot = superviseBot({
    start: () =>
      startProgram({
        file: resolve(options.bot ?? join(ROOT, 'app', 'main.ts')),
        // The bot reads the `.env` of its folder. The one of the project could lead it to the real Slack.
        folder: folder.path,
        environment: { ...environment, ...variables },
        onOutput: (text) => {
          if (process.env.LOG_LEVEL !== undefined) process.stderr.write(text);
        },
      }),
    connections: sandbox.sockets.count,
    onConnection: sandbox.world.onChange,
    onChange: () => {
      show();
      sandbox.changed();
    },
  });
  const witness = witnessIn(join(folder.path, 'actions.jsonl'));
  const tricks = tricksOn({
    ...{ sandbox, witness, bots: () => [bot] },
    restart: async (changed) => {
      variables = changed;
      await bot.program().stop(STOP_WITHIN_MS);
      await sandbox.world.until(() => bot.isAway(), { what: 'the bot stops' });
      await sandbox.world.until(() => !bot.isAway(), { what: 'the bot starts' });
    },
  });
  const counts = () => tallyOf(sandbox.world, witness.all());
  const show = () =>
    sandbox.show({
      ...{ tricks, counts },
      ...(bot.isAway() ? { notice: 'The bot is gone. It comes back by itself…' } : {}),
    });
  show();
  return bot;
}

async function choosePort({ port }: DemoOptions, { lastPort }: DemoFolder): Promise<number | undefined> {
  if (port !== undefined) return (await isFree(port)) ? port : undefined;
  for (const known of [lastPort, PORT]) if (known !== undefined && (await isFree(known))) return known;
  return freePort();
}

function signalled(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('interrupted'));
  });
}

function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function end(problem: string | undefined): never {
  if (problem !== undefined) complain(problem);
  process.exit(problem === undefined ? 0 : 1);
}
