import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../ports.ts';

/** A Redis of the demo's own. It ends with the demo, and keeps what it has in its folder. */
export interface DemoRedis {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const PROGRAMS = ['redis-server', 'valkey-server'];
const OLDEST = 7;
const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;
/** A server that takes a connection and says nothing is asked again. */
const ANSWERS_WITHIN_MS = 1000;
const STOP_WITHIN_MS = 5000;

/** The Redis that is installed, if there is one that the bot can use. */
export async function findRedis(): Promise<string | undefined> {
  for (const program of PROGRAMS) {
    if (Number(/v=(\d+)/.exec(await versionOf(program))?.[1] ?? 0) >= OLDEST) return program;
  }
  return undefined;
}

async function versionOf(program: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, ['--version'])).stdout;
    // It is not installed.
  } catch {
    return '';
  }
}

export async function startRedis(program: string, folder: string): Promise<DemoRedis> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', appendfsync: 'always', save: '' };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  // The shell ends the server when this process is gone: `cat` reads until its end of the pipe closes.
  const child = spawn('sh', ['-c', '"$@" & cat; kill $!; wait $!', 'sh', program, ...words], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C reaches only this process, and the bot stops before its store.
    detached: true,
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await answers(port);
  return {
    port,
    stop: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function answers(port: number): Promise<void> {
  for (const beganMs = performance.now(); performance.now() - beganMs < READY_WITHIN_MS; ) {
    if (await answersOnce(port)) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`The Redis of the demo did not start within ${READY_WITHIN_MS / 1000} s. Look at its folder.`);
}

/** Whether it answers to PING. While it reads its file it refuses, and it may hang up without a word. */
function answersOnce(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data).startsWith('+PONG'));
    });
    socket.setTimeout(ANSWERS_WITHIN_MS, () => socket.destroy());
    // Its close follows.
    socket.on('error', () => {});
    socket.once('close', () => resolve(false));
  });
}
