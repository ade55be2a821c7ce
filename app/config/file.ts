import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { importFile, loadToolFolder, notLoaded } from '../tools/index.ts';
import { type CheckConfigDeps, ConfigProblem, checkConfig } from './check.ts';
import type { Config, ConfigInput } from './shape.ts';

export type { WrittenPolicy } from '../tools/index.ts';
export type { Config, ConfigInput } from './shape.ts';

/** Wraps what a deployment exports. It gives the editor the types and changes nothing. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** The configuration file cannot be used. The message has the file, the place in it, and what is wrong. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

export interface LoadConfigDeps extends Pick<CheckConfigDeps, 'now' | 'reach'> {
  readonly cwd: string;
}

const USUAL_NAMES = ['countersign.config.ts', 'countersign.config.js'];

/**
 * Reads the configuration of a deployment once, at start, and the folder of tools beside it. A given path must exist.
 * Without one, the usual names are looked for. If none exists, the bot has its built-in tools and those of the folder
 * `tools`, if there is one.
 */
export async function loadConfigFile(path: string | undefined, deps: LoadConfigDeps): Promise<Config> {
  const file =
    path === undefined ? USUAL_NAMES.map((name) => resolve(deps.cwd, name)).find(existsSync) : locate(path, deps);
  const exported = file === undefined ? {} : await defaultExport(file);
  const base = file === undefined ? deps.cwd : dirname(file);
  const { toolsFolder, toolServers } = placesIn(exported);
  const folder = besides(base, toolsFolder, 'tools');
  const folderTools = folder === undefined ? [] : await loadToolFolder(folder);
  try {
    const config = checkConfig(exported, { ...deps, folderTools });
    const servers = besides(base, toolServers, 'mcp.json');
    if (servers !== undefined && !existsSync(servers))
      throw new ConfigProblem(
        ['toolServers'],
        `names ${servers}, and there is no such file. Correct it, or leave it out`,
      );
    return { ...config, toolsFolder: folder, toolServers: servers };
    // A check found a fault. It knows the key; the operator also hears the file and the line.
  } catch (error) {
    if (!(error instanceof ConfigProblem) || file === undefined) throw error;
    const line = lineOf(readFileSync(file, 'utf8'), error.path);
    throw new ConfigFileError(line === undefined ? file : `${file}:${line}`, error.message, { cause: error });
  }
}

/** Reads the two paths that are needed before the whole is checked. `checkConfig` refuses what is no path. */
function placesIn(exported: unknown) {
  const named = z.object({ toolsFolder: z.string().optional(), toolServers: z.string().optional() });
  const found = named.safeParse(exported);
  return found.success ? found.data : {};
}

/** Returns a named path even if it does not exist, because its reader reports that. The usual name may be absent. */
function besides(base: string, named: string | undefined, usual: string): string | undefined {
  const path = resolve(base, named ?? usual);
  return named !== undefined || existsSync(path) ? path : undefined;
}

function locate(path: string, { cwd }: LoadConfigDeps): string {
  const file = isAbsolute(path) ? path : resolve(cwd, path);
  if (existsSync(file)) {
    if (!statSync(file).isDirectory()) return file;
    throw new ConfigFileError(file, 'is a folder. Set COUNTERSIGN_CONFIG to the configuration file in it.');
  }
  throw new ConfigFileError(
    file,
    'there is no such file. Correct COUNTERSIGN_CONFIG, or remove it to run without one.',
  );
}

async function defaultExport(file: string): Promise<unknown> {
  const imported = await importFile(file);
  if (!imported.ok) throw new ConfigFileError(imported.place, `${notLoaded(imported)}.`, { cause: imported.cause });
  if (imported.exports.default === undefined)
    throw new ConfigFileError(file, 'has no default export. Write: export default defineConfig({ … }).');
  return imported.exports.default;
}

/** Guesses the line of the last key of a path by searching for the keys one after the other. `undefined` if none is found. */
function lineOf(source: string, path: readonly PropertyKey[]): number | undefined {
  let at = 0;
  for (const key of path) {
    // A rule is found by the names of the rules before it.
    for (let left = typeof key === 'number' && path[0] === 'rules' ? key + 1 : 0; left > 0; left -= 1) {
      const name = /\bname\s*:/.exec(source.slice(at));
      at += name === null ? 0 : name.index + name[0].length;
    }
    if (typeof key !== 'string' || !/^[\w-]+$/.test(key)) continue;
    const found = new RegExp(`(?<![\\w$.-])['"]?${key}['"]?\\s*[:,}(]`).exec(source.slice(at));
    if (found === null) break;
    at += found.index + found[0].length - 1;
  }
  return at === 0 ? undefined : source.slice(0, at).split('\n').length;
}
