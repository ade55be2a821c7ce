import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, type ConfigInput, ConfigProblem, checkConfig } from './config-check.ts';

export type { Config, ConfigInput, ToolPolicy } from './config-check.ts';

/** What a deployment exports: it gives the editor the types, and changes nothing. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** The configuration file cannot be used. One message with the file, the place in it, and what is wrong. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

export interface LoadConfigDeps {
  readonly cwd: string;
  readonly now: () => number;
}

const USUAL_NAMES = ['countersign.config.ts', 'countersign.config.js'];

/**
 * Reads the configuration of a deployment once, at start. A path that is given must be there; without one, the usual
 * names are looked for; with none of them, the bot has its built-in tools and nothing else.
 */
export async function loadConfigFile(path: string | undefined, deps: LoadConfigDeps): Promise<Config> {
  const file =
    path === undefined ? USUAL_NAMES.map((name) => resolve(deps.cwd, name)).find(existsSync) : locate(path, deps);
  if (file === undefined) return checkConfig({}, deps);

  const exported = await importFile(file);
  try {
    return checkConfig(exported, deps);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const line = lineOf(readFileSync(file, 'utf8'), error.path);
    throw new ConfigFileError(line === undefined ? file : `${file}:${line}`, error.message, { cause: error });
  }
}

function locate(path: string, { cwd }: LoadConfigDeps): string {
  const file = isAbsolute(path) ? path : resolve(cwd, path);
  if (existsSync(file)) return file;
  throw new ConfigFileError(
    file,
    'there is no such file. Correct COUNTERSIGN_CONFIG, or remove it to run without one.',
  );
}

async function importFile(file: string): Promise<unknown> {
  const module: { readonly default?: unknown } = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new ConfigFileError(placeOf(error, file) ?? file, `cannot be loaded: ${firstLines(error)}`, { cause: error });
  });
  if (module.default === undefined)
    throw new ConfigFileError(file, 'has no default export. Write: export default defineConfig({ … }).');
  return module.default;
}

/**
 * Where an error while loading came from. A syntax error begins its stack with the file and the line; anything that was
 * thrown has them in its first frame outside the bot and its packages.
 */
function placeOf(error: unknown, file: string): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const [first = '', ...frames] = error.stack.split('\n');
  const own = import.meta.dirname;
  const outside = frames.find(
    (frame) => /^\s+at /.test(frame) && !/node:|node_modules/.test(frame) && !frame.includes(own),
  );
  const syntax = error instanceof SyntaxError ? checked(file) : '';
  const place = /((?:file:\/\/)?\/[^()\n]+?:\d+)(?::\d+)?\)?$/;
  const found = [syntax.split('\n')[0] ?? '', first, outside ?? ''].map((line) => place.exec(line)?.[1]);
  return found.find((each) => each !== undefined)?.replace('file://', '');
}

/** Node tells the line of a syntax error in JavaScript only to a process that it ends: so one is spent on asking. */
function checked(file: string): string {
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 }).stderr;
}

function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').slice(0, 6).join('\n');
}

/** Finds the last key of a path in the text by looking for its keys one after the other. A good guess, or none. */
function lineOf(source: string, path: readonly PropertyKey[]): number | undefined {
  let at = 0;
  for (const key of path) {
    if (typeof key !== 'string' || !/^[\w-]+$/.test(key)) continue;
    const found = new RegExp(`(?<![\\w$.-])['"]?${key}['"]?\\s*[:,}(]`).exec(source.slice(at));
    if (found === null) break;
    at += found.index + found[0].length - 1;
  }
  return at === 0 ? undefined : source.slice(0, at).split('\n').length;
}
