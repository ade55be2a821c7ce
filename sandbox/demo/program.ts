import { spawn } from 'node:child_process';

/** Another Node program: how it ends, and what it said last. It dies with this process. */
export interface Program {
  /** Resolves with how it ended: an exit code or a signal. */
  readonly ended: Promise<string>;
  readonly lastLines: () => readonly string[];
  /** Asks it to end, and makes it end when it does not. */
  readonly stop: (withinMs: number) => Promise<void>;
  /** SIGKILL: it dies without a last word. */
  readonly kill: () => void;
}

export interface ProgramOptions {
  readonly file: string;
  /** What stands behind it on the command line. */
  readonly words?: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly onOutput: (text: string, from: 'out' | 'err') => void;
}

const LEASH = new URL('leash.ts', import.meta.url).href;
const KEPT_LINES = 6;
const KEPT_CHARACTERS = 8000;

export function startProgram({ file, words = [], folder, environment, onOutput }: ProgramOptions): Program {
  const child = spawn(process.execPath, [`--import=${LEASH}`, file, ...words], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C reaches only this process, which stops the program once and in order.
    detached: true,
  });
  // The pipe breaks when the program dies, which `ended` tells.
  child.stdin.on('error', () => {});
  let said = '';
  for (const from of ['out', 'err'] as const) {
    child[`std${from}`].setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
      onOutput(text, from);
    });
  }
  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => {
    running = false;
  });
  return {
    ended,
    lastLines: () =>
      said
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .slice(-KEPT_LINES),
    kill: () => void child.kill('SIGKILL'),
    stop: async (withinMs) => {
      if (!running) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
