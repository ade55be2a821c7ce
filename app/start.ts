import { build } from './build.ts';
import { ConfigFileError, EnvironmentError, readEnvironment } from './config/index.ts';
import type { Bot } from './lifecycle.ts';
import { createLog, errorText } from './log.ts';
import { createScrubber, secretsOf } from './secrets/index.ts';
import { type AtStep, dyingAt } from './step.ts';
import { pause } from './time/index.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Starts the process and stops it cleanly. Each fault of the setup is one line, without a stack trace. */
export async function start(env: Env): Promise<void> {
  try {
    let running: Bot | undefined;
    let stopping: { readonly signal: NodeJS.Signals; readonly sinceMs: number } | undefined;
    const stop = (signal: NodeJS.Signals): void => {
      // On Ctrl-C, npm hands on the signal that the terminal sent to the bot as well.
      if (stopping?.signal === signal && performance.now() - stopping.sinceMs < SAME_SIGNAL_MS) return;
      // A second signal exits at once.
      if (stopping !== undefined) process.exit(1);
      stopping = { signal, sinceMs: performance.now() };
      process.stderr.write(
        running === undefined ? 'Stopped before Countersign was running.\n' : 'Countersign is stopping.\n',
      );
      if (running === undefined) process.exit(signal === 'SIGINT' ? 130 : 143);
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Countersign could not stop cleanly: ${errorText(error)}\n`);
          process.exit(1);
        },
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);

    const environment = readEnvironment(env);
    const scrubber = createScrubber(secretsOf(env));
    const log = createLog(environment.logLevel, (line) => process.stderr.write(scrubber.scrub(line)));
    const bot = await build({
      env,
      cwd: process.cwd(),
      environment,
      log,
      learnSecret: scrubber.learn,
      hidePatterns: scrubber.hide,
      ...killPoint(env, async () => {
        while (running === undefined) await pause(10);
        stop('SIGTERM');
      }),
    });
    await bot.start();
    running = bot;
    // The environment, the configuration or the store cannot be used. The operator reads why, and the process ends.
  } catch (error) {
    process.stderr.write(`${startProblems(error).join('\n')}\n`);
    process.exit(1);
  }
}

/** The same signal within this time is the first one, handed on. */
const SAME_SIGNAL_MS = 1_000;

/** Test hook: kills this process at a step, at once or while it stops. */
function killPoint(env: Env, askToStop: () => Promise<void>): { readonly step?: AtStep } {
  const { COUNTERSIGN_DIE_AT: atOnce, COUNTERSIGN_DIE_STOPPING_AT: stopping } = env;
  if (atOnce) return { step: dyingAt(atOnce, die) };
  if (stopping === undefined) return {};
  const dieStopping = async () => {
    await askToStop();
    // The run at this step stays there; all other work reaches the point where a stop leaves it.
    await pause(STOPPED_FOR_MS);
    die();
    await new Promise(() => {});
  };
  return { step: dyingAt(stopping, dieStopping) };
}

const die = (): void => void process.kill(process.pid, 'SIGKILL');
const STOPPED_FOR_MS = 250;

/** What the operator reads: a line for each fault. */
export function startProblems(error: unknown): readonly string[] {
  if (error instanceof EnvironmentError) return error.problems;
  if (error instanceof ConfigFileError) return [error.message];
  return [`Countersign could not start: ${errorText(error)}`];
}
