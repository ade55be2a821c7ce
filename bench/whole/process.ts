import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../sandbox/demo/ports.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { atEnd } from '../at-end.ts';
import { type Question, Told } from '../deployment/channel.ts';
import { CONFIGURATION } from '../deployment/place.ts';

/** The whole bot as a process of its own, with Slack and the model in the sandbox. */
export interface BotProcess {
  /** From the start of the process until it takes deliveries. */
  readonly startMs: number;
  /** When the next tool starts, by the clock of the machine in nanoseconds. */
  readonly nextStartNs: () => Promise<number>;
  /** Processor time so far, of all its threads. */
  readonly processorMs: () => Promise<number>;
  readonly memory: () => Promise<{ readonly heapBytes: number; readonly residentBytes: number }>;
  readonly kill: () => Promise<void>;
}

export interface BotPlace {
  readonly dataDir: string;
  readonly redisUrl?: string | undefined;
  /** After this, a run that waits gives its memory back. */
  readonly hotMs?: number;
}

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(ROOT, 'app', 'main.ts');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The flags with which `npm start` bounds the heap, and a collection of garbage on request. */
const FLAGS = [...String(scripts.start).matchAll(/--\S+=\d+/g)].map(([flag]) => flag).concat('--expose-gc');
const RUNS = 'Countersign is running';

/** Starts it. Deliveries reach it over signed HTTP from now on. */
export async function startBotProcess(sandbox: Sandbox, place: BotPlace): Promise<BotProcess> {
  const port = await freePort();
  const before = performance.now();
  const child = fork(MAIN, { env: environment(sandbox, place, port), execArgv: FLAGS, silent: true });
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.kill('SIGKILL')) await gone;
  };
  atEnd(() => void child.kill('SIGKILL'));
  await running(child);
  const startMs = performance.now() - before;
  sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
  const ask = async (question: Question): Promise<Told> => {
    const answer = told(child, (what) => !('startedAtNs' in what));
    child.send(question);
    return answer;
  };
  return {
    startMs,
    kill,
    nextStartNs: async () => {
      const what = await told(child, (one) => 'startedAtNs' in one);
      return 'startedAtNs' in what ? what.startedAtNs : 0;
    },
    processorMs: async () => {
      const what = await ask('processor');
      return 'processorMicros' in what ? what.processorMicros / 1_000 : 0;
    },
    memory: async () => {
      const what = await ask('memory');
      return 'heapBytes' in what ? what : { heapBytes: 0, residentBytes: 0 };
    },
  };
}

function environment(sandbox: Sandbox, { dataDir, redisUrl, hotMs }: BotPlace, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    BENCH_CHILD: 'yes',
    SLACK_API_URL: sandbox.slackApiUrl,
    SLACK_BOT_TOKEN: sandbox.botToken,
    SLACK_SIGNING_SECRET: sandbox.signingSecret,
    PORT: `${port}`,
    ANTHROPIC_BASE_URL: sandbox.anthropicBaseUrl,
    ANTHROPIC_API_KEY: 'sandbox',
    COUNTERSIGN_CONFIG: CONFIGURATION,
    DATA_DIR: dataDir,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...(hotMs === undefined ? {} : { BENCH_HOT_MS: `${hotMs}` }),
  };
}

/** Resolves when it takes deliveries. */
function running(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const onText = (text: Buffer): void => {
      if (log.includes(RUNS)) return;
      log += text.toString();
      if (log.includes(RUNS)) resolve();
    };
    child.stdout?.on('data', onText);
    child.stderr?.on('data', onText);
    child.once('exit', (code) => reject(new Error(`The bot ended with ${code}. Its log: ${log}`)));
  });
}

function told(child: ChildProcess, fits: (what: Told) => boolean): Promise<Told> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The bot ended while it was measured.'));
    const onMessage = (message: unknown): void => {
      const what = Told.parse(message);
      if (!fits(what)) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(what);
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}
