import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { given } from '../../app/given.ts';
import { readManifest } from '../../sandbox/demo/manifest.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { confirmAtOnce } from './approving.ts';
import { compileCopy, compiledCopy, startOf } from './compiled/compile.ts';
import { PATIENCE_MS, START_MS } from './patience.ts';
import { violationsOf } from './payload-limits.ts';
import { recordIfWished } from './record.ts';
import { repeatedEdits } from './repeated-edits.ts';
import { COMPILED_SOURCES, freePort } from './servers.ts';

/**
 * A whole bot as a process of its own, against the sandbox: real Bolt, real HTTP and sockets, a real store. What a test
 * sees is what people see in the thread, and what the example's tools wrote down.
 */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly world: Sandbox['world'];
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  /** Starts one more bot on the same store. */
  readonly startBot: (options?: BotOptions) => Promise<RunningBot>;
  /** From now on a test submits the forms itself in which people confirm guarded calls. Else people do so at once. */
  readonly confirmsByHand: () => void;
  readonly close: () => Promise<void>;
}

export interface BotOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Deliveries over signed HTTP in place of a socket. */
  readonly http?: boolean;
  /** A step of a run at which it dies, as `app/step.ts` names it. It may come there before it has said that it runs. */
  readonly dieAt?: string;
  /** It is told to stop when it comes there, and dies while it does. */
  readonly whileStopping?: boolean;
  /** Another copy of the sources than that of its stage. */
  readonly sources?: string;
}

export interface RunningBot {
  /** Resolves when the process is gone, however it went. */
  readonly gone: Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly port: number | undefined;
  readonly pid: number | undefined;
  /** SIGKILL: nothing of it gets to say goodbye. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: pauses the process, and no other process is told. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<number | null>;
  readonly log: () => string;
}

export interface StageOptions {
  /** Without one, the embedded store in a folder of its own. */
  readonly redisUrl?: string;
  readonly sandbox?: SandboxOptions;
  /** The folder that bots are started from: a copy of the sources in which something was changed. */
  readonly sources?: string;
}

/** A bot of a project that has nothing compiled starts from the sources. */
async function startFrom(sources: string | undefined): Promise<ReturnType<typeof startOf>> {
  const bot = inject('compiledBot');
  const compiled = sources === undefined ? (bot ?? compiledCopy('.')) : await compileCopy(sources, bot);
  if (compiled !== undefined) return startOf(compiled);
  return { args: ['app/main.ts'], env: { NODE_COMPILE_CACHE: COMPILED_SOURCES } };
}

export async function openStage({ redisUrl, sandbox: options, sources: ofStage }: StageOptions = {}): Promise<Stage> {
  const { scopes } = readManifest('manifest.yml');
  const sandbox = await startSandbox({ patienceMs: PATIENCE_MS, ...given({ scopes }), ...options });
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-'));
  const bots: RunningBot[] = [];
  /** Where the requests of each bot begin. A bot knows nothing of what those before it sent. */
  const lives: number[] = [];

  const stage: Stage = {
    sandbox,
    world: sandbox.world,
    dataDir,
    redisUrl,
    confirmsByHand: confirmAtOnce(sandbox.world),
    startBot: async ({ env = {}, http = false, dieAt, whileStopping = false, sources = ofStage } = {}) => {
      lives.push(sandbox.world.requests.length);
      const port = http ? await freePort() : undefined;
      const start = await startFrom(sources);
      const child = spawn(process.execPath, start.args, {
        cwd: sources,
        env: {
          PATH: process.env.PATH ?? '',
          SLACK_API_URL: sandbox.slackApiUrl,
          SLACK_BOT_TOKEN: sandbox.botToken,
          ...(http
            ? { SLACK_SIGNING_SECRET: sandbox.signingSecret, PORT: `${port}` }
            : { SLACK_APP_TOKEN: sandbox.appToken }),
          ANTHROPIC_BASE_URL: sandbox.anthropicBaseUrl,
          ANTHROPIC_API_KEY: 'sk-test',
          COUNTERSIGN_CONFIG: 'example/countersign.config.ts',
          DATA_DIR: dataDir,
          ...start.env,
          LOG_LEVEL: 'debug',
          ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
          ...(dieAt === undefined
            ? {}
            : { [whileStopping ? 'COUNTERSIGN_DIE_STOPPING_AT' : 'COUNTERSIGN_DIE_AT']: dieAt }),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const log = collect(child);
      const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const bot: RunningBot = {
        port,
        pid: child.pid,
        log,
        gone,
        isAlive: () => child.exitCode === null && child.signalCode === null,
        kill: async () => {
          child.kill('SIGKILL');
          await gone;
        },
        pause: () => void child.kill('SIGSTOP'),
        resume: () => void child.kill('SIGCONT'),
        stop: async () => {
          child.kill('SIGTERM');
          return gone;
        },
      };
      bots.push(bot);
      const atStart = (code: number | null) => new Error(`The bot ended with ${code} at start:\n${log()}`);
      // Stopping may be over before it is killed.
      const asWished = () =>
        dieAt !== undefined && (child.signalCode === 'SIGKILL' || (whileStopping && child.exitCode === 0));
      await Promise.race([
        logged({ log }, 'Countersign is running', 1, START_MS),
        gone.then((code) => (asWished() ? undefined : Promise.reject(atStart(code)))),
      ]);
      if (port !== undefined) sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
      return bot;
    },
    close: async () => {
      await Promise.all(bots.map((bot) => bot.kill()));
      await recordIfWished(stage);
      await sandbox.close();
      rmSync(dataDir, { recursive: true, force: true });
      // On a store that others may share, a bot cannot know what they sent last.
      const alone = redisUrl === undefined ? lives : [];
      const repeated = alone.flatMap((from, at) => repeatedEdits(sandbox.world.requests.slice(from, lives[at + 1])));
      if (repeated.length > 0) throw new Error(`An edit showed nothing new:\n${repeated.join('\n')}`);
      const wrong = violationsOf(sandbox.sent());
      if (wrong.length > 0) throw new Error(`Slack’s published limits were not kept:\n${wrong.join('\n')}`);
    },
  };
  return stage;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => text;
}

/** Waits until the bot has written these words to its log, so many times. */
export async function logged(
  { log }: Pick<RunningBot, 'log'>,
  words: string,
  times = 1,
  withinMs = PATIENCE_MS,
): Promise<void> {
  for (const untilMs = performance.now() + withinMs; log().split(words).length - 1 < times; await pause(20)) {
    if (performance.now() > untilMs)
      throw new Error(`Not logged ${times} times within ${withinMs} ms: ${words}\n${log().slice(-4_000)}`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A person mentions the bot in #ops. The message is the root of its thread. */
export async function mention(stage: Stage, user: string, text: string, channel = OPS): Promise<SlackMessage> {
  return stage.world.say(user, channel, `<@${BOT}> ${text}`);
}

/** The cards of a thread that can still be pressed, oldest first. */
export function openCards(stage: Stage, root: SlackMessage): readonly SlackMessage[] {
  return stage.world.messages(root).filter((message) => draws(message, 'approval_deny'));
}

export function openDoubts(stage: Stage, root: SlackMessage): readonly SlackMessage[] {
  return stage.world.messages(root).filter((message) => draws(message, 'doubt_skip'));
}

/** Waits for the card that asks what became of a call whose end no process saw. */
export async function doubtIn(stage: Stage, root: SlackMessage, position = 0): Promise<SlackMessage> {
  return stage.world.until(() => openDoubts(stage, root)[position], {
    what: `an open question about a lost call in ${root.ts}`,
  });
}

/** Whether the bot has searched a thread for what it may have posted. */
export function hasSearched({ world }: Stage): boolean {
  return world.requests.some(({ method }) => method === 'conversations.replies');
}

/** Every message of the thread that shows an approval, whatever became of it. */
export function cards(stage: Stage, root: SlackMessage): readonly SlackMessage[] {
  return stage.world.messages(root).filter(({ metadata }) => JSON.stringify(metadata ?? {}).includes('card:'));
}

export function draws({ blocks }: Pick<SlackMessage, 'blocks'>, actionId: string): boolean {
  return JSON.stringify(blocks).includes(`"action_id":"${actionId}"`);
}

/** Waits for the open card of a thread. */
export async function cardIn(
  stage: Stage,
  root: SlackMessage,
  position = 0,
  within: Within = {},
): Promise<SlackMessage> {
  return stage.world.until(() => openCards(stage, root)[position], { what: `an open card in ${root.ts}`, ...within });
}

/** How long a test waits for what it wants to see; the world's own patience unless it is said. */
export interface Within {
  readonly withinMs?: number;
}

/** Waits until the bot has said something that contains these words. */
export async function reply(
  stage: Stage,
  root: SlackMessage,
  words: string | RegExp,
  within: Within = {},
): Promise<SlackMessage> {
  return stage.world.until(
    () => stage.world.messages(root).find((message) => message.user === BOT && says(message, words)),
    { what: `the bot says ${words}`, ...within },
  );
}

export function says({ text, blocks }: Pick<SlackMessage, 'text' | 'blocks'>, words: string | RegExp): boolean {
  const all = `${text}\n${JSON.stringify(blocks)}`;
  return typeof words === 'string' ? all.includes(words) : words.test(all);
}

/** What a person was told privately, newest last. */
export async function whisper(stage: Stage, user: string, words: string | RegExp): Promise<string> {
  const found = await stage.world.until(() => stage.world.ephemerals(user).find((message) => says(message, words)), {
    what: `${user} is told ${words}`,
  });
  return found.text;
}

/** How often Ann was told that a press was not recorded. */
export const notRecorded = ({ world }: Stage): number =>
  world.ephemerals(ANN).filter((message) => says(message, /not recorded/i)).length;

/** Ann presses again each time she is told that the press was not recorded. Returns how often that was. */
export async function pressUntilRecorded(stage: Stage, root: SlackMessage, card: SlackMessage): Promise<number> {
  const isOpen = () => openCards(stage, root).length > 0;
  for (let told = 0; ; told += 1) {
    const before = notRecorded(stage);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => !isOpen() || notRecorded(stage) > before, { what: 'an answer' });
    if (!isOpen()) return told;
  }
}

export interface Witnessed {
  readonly step: 'begun' | 'done';
  readonly tool: string;
  readonly key: string;
  readonly input: unknown;
}

/** What the tools themselves wrote down: independent of anything the bot believes. */
export function witnessed(stage: Stage, step: Witnessed['step'] = 'done'): readonly Witnessed[] {
  const file = join(stage.dataDir, 'actions.jsonl');
  if (!existsSync(file)) return [];
  // A tool may be at the last line just now: a whole one ends.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): Witnessed => JSON.parse(line)).filter((fact) => fact.step === step);
}

/** The approvals about which it answered a press, as its log says. */
export function answeredBy(bot: RunningBot): ReadonlySet<string> {
  return new Set([...bot.log().matchAll(/A press was answered.*?(\d{2}a[\w-]{22})/g)].map(([, id = '']) => id));
}

/** Long enough for a bot that would do something wrong to have done it. */
export const aWhile = (ms = 700) => new Promise((resolve) => setTimeout(resolve, ms));
