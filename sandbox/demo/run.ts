import { join } from 'node:path';
import { ANN, BEN, ON_CALL, ZOE } from '../people.ts';
import { startSandbox } from '../server.ts';
import { startBots } from './bots.ts';
import type { DemoFolder } from './folder.ts';
import { auditIn } from './journal/audit.ts';
import { followJournal } from './journal/journal.ts';
import { readManifest } from './manifest.ts';
import type { DemoOptions } from './options.ts';
import { pathInCommand, ROOT } from './paths.ts';
import { freePort, isFree } from './ports.ts';
import { DEMO_KEY } from './sign-on.ts';
import { openDemoStore } from './store/store.ts';
import { lastWords } from './supervisor.ts';

const PORT = 4747;
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
/** Slow enough to watch an answer being written. */
const PIECE_DELAY_MS = 12;

/** A policy names people by their ids, and the page shows names. */
const IDS = `Ids for your policy: Ann ${ANN}, Ben ${BEN}, Zoe ${ZOE}, the group of Ben ${ON_CALL}\n`;

/** Runs the demo until it is told to stop, or cannot go on. Then it ends the process. */
export async function runDemo(options: DemoOptions, folder: DemoFolder): Promise<never> {
  const interrupted = signalled();
  const port = await choosePort(options, folder);
  if (port === undefined)
    return end(`Port ${options.port} is taken or not allowed here. Set PORT to a free one, or leave it out.`);
  const store = await openDemoStore(folder);
  if (typeof store === 'string') return end(store);
  const sandbox = await startSandbox({
    port,
    pieceDelayMs: PIECE_DELAY_MS,
    keptIn: { file: join(folder.path, 'workspace.json'), onTrouble: complain },
    ...readManifest(join(ROOT, 'manifest.yml')),
  });
  folder.take(Number(new URL(sandbox.url).port));
  const variables = { ...store.beside, DATA_KEY: DEMO_KEY };
  const journal = followJournal(auditIn({ folder: folder.path, variables }), sandbox.changed);
  const check = `${inCommand(variables)} npm run audit -- verify`;
  const bots = await startBots({
    ...{ options, folder, sandbox, store, journal, check },
    stopWithinMs: STOP_WITHIN_MS,
  });

  const ready = sandbox.world
    .until(() => sandbox.sockets.count() > 0, { withinMs: READY_WITHIN_MS })
    .then(
      () => 'ready' as const,
      () => 'late' as const,
    );
  const gaveUp = bots.first.gaveUp.then((problem) => ({ problem }));
  const began = await Promise.race([ready, gaveUp, interrupted]);
  if (began === 'ready') {
    // Written at once: a program that reads only the address may close the pipe behind it.
    const ids = options.isOwnConfig ? IDS : '';
    process.stdout.write(`Countersign is ready: ${sandbox.page}\n${ids}To check its journals: ${check}\n`);
    journal.follow();
  }
  const ended = began === 'ready' ? await Promise.race([gaveUp, interrupted]) : began;
  // The bot stops first, because it may still have something to post.
  await bots.stop(STOP_WITHIN_MS);
  await sandbox.close();
  await journal.stop();
  await store.stop();
  folder.leave();
  if (ended === 'late')
    return end(`Countersign did not connect within ${READY_WITHIN_MS / 1000} s.${lastWords(bots.first.program())}`);
  return end(typeof ended === 'string' ? undefined : ended.problem);
}

async function choosePort({ port }: DemoOptions, { lastPort }: DemoFolder): Promise<number | undefined> {
  if (port !== undefined) return (await isFree(port)) ? port : undefined;
  for (const known of [lastPort, PORT]) if (known !== undefined && (await isFree(known))) return known;
  return freePort();
}

/** As they stand before a command. */
function inCommand(variables: { readonly [name: string]: string }): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${name === 'DATA_DIR' ? pathInCommand(value) : value}`)
    .join(' ');
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
