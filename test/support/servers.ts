import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';
import { compileBot } from './compiled/compile.ts';
import { warm } from './compiled/warm.ts';

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string;
    chromium: string;
    /** The folder of the compiled bot. A project without servers has none. */
    compiledBot?: string;
  }
}

/** What was compiled of the sources, by whatever starts them: taking the types out takes longer than most tests. */
export const COMPILED_SOURCES = join(tmpdir(), 'countersign-compiled-for-tests');

/**
 * Finds, or installs, the real servers that tests talk to. Nothing here ever skips: a machine that cannot have a
 * Redis or a Chromium is told in one line what to install, and the run fails.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_REDIS_URL;
  if (given !== undefined && given !== '') await checkGiven(given);
  project.provide('chromium', await need(CHROMIUM));
  // Where the sources change between two tests, bots start from them.
  const bot = process.env.BOTS_FROM_SOURCES === undefined ? await compileBot() : undefined;
  if (bot !== undefined) await warm(bot);
  if (bot !== undefined) project.provide('compiledBot', bot.folder);
  if (given !== undefined && given !== '') {
    project.provide('redisUrl', given);
    return async () => {};
  }
  const redis = await startRedis(await need(REDIS));
  project.provide('redisUrl', redis.url);
  return redis.stop;
}

/** Some tests look what survives a Redis that dies, and on one that writes nothing to its disk they are red. */
async function checkGiven(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true });
  client.on('error', () => {});
  try {
    await client.connect();
    const [, appendOnly] = [await client.config('GET', 'appendonly')].flat();
    if (appendOnly === 'yes') return;
  } catch (error) {
    throw new Error(
      `The Redis of TEST_REDIS_URL cannot be asked for its settings (${error}). Start it, or unset TEST_REDIS_URL.`,
    );
  } finally {
    client.disconnect();
  }
  throw new Error(
    'The Redis of TEST_REDIS_URL has no append-only file. Set it: redis-cli CONFIG SET appendonly yes; or unset TEST_REDIS_URL.',
  );
}

interface Program {
  readonly label: string;
  readonly names: readonly string[];
  readonly debian: string;
  readonly homebrew: readonly string[];
  readonly advice: string;
}

const REDIS: Program = {
  label: 'Redis',
  names: ['redis-server', 'valkey-server'],
  debian: 'redis-server',
  homebrew: ['redis'],
  advice: 'Install redis-server or valkey-server, or set TEST_REDIS_URL.',
};
const CHROMIUM: Program = {
  label: 'Chromium',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debian: 'chromium',
  homebrew: ['--cask', 'chromium'],
  advice: 'Install chromium (Debian and Ubuntu: apt-get install chromium) or Google Chrome.',
};
const MAC_BROWSERS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is; one is installed if there is none. */
export const needChromium = (): Promise<string> => need(CHROMIUM);

async function need(program: Program): Promise<string> {
  const found = find(program);
  if (found !== undefined) return found;
  process.stdout.write(`${program.label} is not installed here: installing it for the tests ...\n`);
  await install(program);
  const installed = find(program);
  if (installed !== undefined) return installed;
  throw new Error(`The tests need ${program.label}, and it could not be installed. ${program.advice}`);
}

function find(program: Program): string | undefined {
  for (const name of program.names) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      const path = join(folder, name);
      if (folder !== '' && existsSync(path)) return path;
    }
  }
  return program === CHROMIUM ? MAC_BROWSERS.find((path) => existsSync(path)) : undefined;
}

async function install({ debian, homebrew }: Program): Promise<void> {
  const run = promisify(execFile);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const onPath = (name: string) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
  // A failure is not an error yet: `need` looks again, and says in one line what to do.
  try {
    if (onPath('apt-get')) {
      const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
      const apt = (...args: string[]) => {
        const [command = '', ...rest] = [...sudo, 'apt-get', ...args];
        return run(command, rest, { env, maxBuffer: 64 * 1024 * 1024 });
      };
      await apt('update', '-qq');
      await apt('install', '-y', '-qq', '--no-install-recommends', debian);
    } else if (onPath('brew')) {
      await run('brew', ['install', ...homebrew], { env, maxBuffer: 64 * 1024 * 1024 });
    }
  } catch {}
}

/** A Redis of our own on a free port, with the durability settings that the README recommends. */
export async function startRedis(
  binary = find(REDIS) ?? REDIS.names[0] ?? '',
): Promise<{ url: string; port: number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-redis-'));
  const port = await freePort();
  const server = spawn(
    binary,
    ['--port', `${port}`, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    { stdio: 'ignore' },
  );
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  probe.on('error', () => {});
  await probe.ping();
  probe.disconnect();
  return {
    url,
    port,
    stop: async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Below those that a system gives to whoever connects: one that is free now must not be somebody's by the time it is used. */
const PORTS = { from: 11_000, to: 32_000 } as const;
/** Each process has a part of its own, or another test would be given the same port before it is used. */
const PARTS = 100;
const IN_A_PART = Math.floor((PORTS.to - PORTS.from) / PARTS);
let part: Promise<number> | undefined;
let given = randomInt(IN_A_PART);

export async function freePort(): Promise<number> {
  part ??= takePart();
  const from = await part;
  for (let tries = 0; tries < IN_A_PART; tries += 1) {
    given = (given + 1) % IN_A_PART;
    const port = from + given;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${from} to ${from + IN_A_PART - 1} is free. End what listens there and try again.`);
}

/** The part of a process is the first whose first port it could take. It listens there as long as it lives. */
async function takePart(): Promise<number> {
  for (let tries = 0; tries < PARTS; tries += 1) {
    const from = PORTS.from + ((process.pid + tries) % PARTS) * IN_A_PART;
    const held = createServer().unref();
    const isTaken = await new Promise<boolean>((resolve) => {
      held.once('error', () => resolve(true));
      held.listen(from, '127.0.0.1', () => resolve(false));
    });
    if (!isTaken) return from;
  }
  throw new Error(
    `Every ${IN_A_PART}th port from ${PORTS.from} to ${PORTS.to} is taken. End what listens there and try again.`,
  );
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
