import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPILED_SOURCES } from './servers.ts';

/** `npm run demo`, with a folder of its own. */
export interface StartedDemo {
  readonly child: ChildProcess;
  readonly folder: string;
  /** Of the page. */
  readonly address: string;
  /** When it was started, and when it printed its first line. */
  readonly beganMs: number;
  readonly firstLineMs: number;
  /** Stops it, if it did not end, and starts it again: in the same folder, and with the same address. */
  readonly startAgain: () => Promise<void>;
  /** Stops it and removes its folder. Resolves with its exit code, also where it ended by itself. */
  readonly stop: () => Promise<number | null>;
}

export interface DemoSetup {
  /** Uses the Redis that is installed. Without one the demo is the same on every computer. */
  readonly withRedis?: boolean;
  /** A program in the place of the real bot. */
  readonly bot?: string;
  /** How long each tool takes; 300 ms unless it is said. */
  readonly toolMs?: number;
  /** Starts as for a visitor. Other demos begin with what was compiled of the sources before. */
  readonly asForVisitors?: boolean;
}

/** Longer than the demo gives its parts to stop. */
const STOP_WITHIN_MS = 60_000;

/** Resolves when the demo has printed its address. */
export async function startDemo({
  withRedis = false,
  bot,
  toolMs = 300,
  asForVisitors = false,
}: DemoSetup = {}): Promise<StartedDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const start = (environment: NodeJS.ProcessEnv) =>
    spawn(process.execPath, ['sandbox/demo.ts'], {
      // The tool server of the demo finds Node on the path. Node alone has no Redis beside it.
      env: {
        PATH: withRedis ? process.env.PATH : dirname(process.execPath),
        DEMO_DATA_DIR: folder,
        ...(bot === undefined ? {} : { DEMO_BOT: bot }),
        ...(asForVisitors ? {} : { NODE_COMPILE_CACHE: COMPILED_SOURCES }),
        // A visitor watches longer.
        EXAMPLE_TOOL_MS: `${toolMs}`,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  let now: Starting = { beganMs: performance.now(), child: start({ PORT: '0' }) };
  let said: Said;
  try {
    said = await ready(now);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    ...{ folder, address: said.address },
    get child() {
      return now.child;
    },
    get beganMs() {
      return now.beganMs;
    },
    get firstLineMs() {
      return said.firstLineMs;
    },
    startAgain: async () => {
      await stopped(now.child);
      // Without a port it takes the one of the last start.
      now = { beganMs: performance.now(), child: start({}) };
      said = await ready(now);
    },
    stop: () => stopped(now.child).finally(remove),
  };
}

type Starting = Pick<StartedDemo, 'beganMs' | 'child'>;
type Said = Pick<StartedDemo, 'address' | 'firstLineMs'>;

function ready({ child }: Pick<StartedDemo, 'child'>): Promise<Said> {
  let said = '';
  let firstLineMs: number | undefined;
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      firstLineMs ??= performance.now();
      said += text;
      const address = /Countersign is ready: (\S+)\n/.exec(said)?.[1];
      if (address !== undefined) resolve({ address, firstLineMs });
    });
    child.once('exit', () => reject(new Error(`The demo ended without an address. It said: ${said}`)));
  });
}

/** Asks it to end. A demo that does not end is killed, so that no test waits for it in vain. */
async function stopped(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  const waiting = new AbortController();
  const tooLong = sleep(STOP_WITHIN_MS, 'too long' as const, { signal: waiting.signal });
  tooLong.catch(() => {});
  const how = await Promise.race([ended, tooLong]);
  waiting.abort();
  if (how !== 'too long') return how;
  child.kill('SIGKILL');
  throw new Error(`The demo did not stop within ${STOP_WITHIN_MS / 1000} s. Look what it still waits for.`);
}
