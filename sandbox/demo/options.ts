import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './paths.ts';
import { LAST_PORT } from './ports.ts';

/** What the person who starts the demo asks for. */
export interface DemoOptions {
  /** The program to start in place of the bot, for tests. */
  readonly bot: string | undefined;
  /** The configuration that the bot runs, as an absolute path. */
  readonly config: string;
  /** The configuration is the visitor's, of whose tools the demo knows nothing. */
  readonly isOwnConfig: boolean;
  /** Forgets what the folder has. */
  readonly isFresh: boolean;
  /** The folder for the data, without which it is `.demo` in the project. */
  readonly folder: string | undefined;
  readonly port: number | undefined;
}

/** The options, or why the demo cannot start with them. */
export function readOptions(given: readonly string[], env: NodeJS.ProcessEnv): DemoOptions | string {
  const at = given.findIndex((word) => word === '--config' || word.startsWith('--config='));
  const isSplit = given[at] === '--config';
  const named = isSplit ? given[at + 1] : given[at]?.slice('--config='.length);
  if (at !== -1 && (named === undefined || named === '' || named.startsWith('--')))
    return 'Name a file behind --config, as in: npm run demo -- --config mine.config.ts';
  // npm runs a script in the folder of the project, and keeps the place where its writer stands.
  const config = named === undefined ? EXAMPLE : resolve(env.INIT_CWD ?? '.', named);
  if (!existsSync(config)) return `There is no file ${config}. Correct the path behind --config.`;
  const others = given.filter((_, index) => index !== at && !(isSplit && index === at + 1));
  const unknown = others.find((word) => word !== '--fresh');
  if (unknown !== undefined) return `The demo has no option ${unknown}. ${USAGE}`;
  const port = env.PORT === undefined || env.PORT === '' ? undefined : Number(env.PORT);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= LAST_PORT))
    return `PORT is ${env.PORT}, which is no port. Set it to a number up to ${LAST_PORT}, or leave it out.`;
  return {
    bot: env.DEMO_BOT || undefined,
    config,
    isOwnConfig: named !== undefined,
    isFresh: others.includes('--fresh'),
    folder: env.DEMO_DATA_DIR || undefined,
    port,
  };
}

export const USAGE = `Its options are:
  npm run demo -- --fresh                    forgets what was said and decided there
  npm run demo -- --config mine.config.ts    runs your own configuration`;

const EXAMPLE = join(ROOT, 'example', 'demo', 'countersign.config.ts');
