import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * The bot and its packages in a few files, made once for a run of tests. Half of what a bot of a test costs is finding and
 * reading a thousand files; these start in a third of the time. Tests of the start itself start the sources.
 */
export interface CompiledBot {
  readonly folder: string;
  readonly remove: () => void;
}

export async function compileBot(): Promise<CompiledBot> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-compiled-'));
  await compile('.', folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * What a copy of the sources is compiled into, once, whatever starts from it: the first bot costs no more than from its
 * sources, and each other one half. After that a change of the copy changes no bot.
 */
export function compileCopy(sources: string): Promise<string> {
  const begun = copies.get(sources);
  if (begun !== undefined) return begun;
  const folder = join(sources, COMPILED);
  const compiled = compile(sources, folder).then(() => folder);
  copies.set(sources, compiled);
  return compiled;
}

/** By the folder of the copy. */
const copies = new Map<string, Promise<string>>();

/** What a copy of the sources was compiled into, if it was. */
export function compiledCopy(sources: string): string | undefined {
  const folder = join(sources, COMPILED);
  return existsSync(folder) ? folder : undefined;
}

async function compile(sources: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { [BOT]: resolve(sources, 'app/main.ts'), [FOR_DEPLOYMENTS]: resolve(sources, 'app/index.ts'), [ZOD]: ZOD },
    platform: 'node',
    logLevel: 'silent',
    // A copy has none, and Node, which starts the sources, reads none either.
    tsconfig: false,
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // Names stay as they are: a bot that fails says where.
    minify: { mangle: false, compress: false, codegen: true },
  });
  await bundle.close();
  mkdirSync(folder, { recursive: true });
  for (const part of output) if (part.type === 'chunk') writeFileSync(join(folder, part.fileName), ascii(part.code));
}

/** The same code in half of the memory: `run.ts` reads it as Latin-1. */
const ascii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const COMPILED = 'compiled';

/** What `run.ts` runs, and what configurations import: the bot, and what their tools are described in. */
export const BOT = 'bot';
export const FOR_DEPLOYMENTS = 'index';
export const ZOD = 'zod';

/** How Node starts it, and where it keeps what it compiled of a configuration. */
export function startOf(folder: string): { readonly args: readonly string[]; readonly env: Record<string, string> } {
  return {
    args: ['--disable-warning=ExperimentalWarning', resolve('test/support/compiled/run.ts')],
    env: { COMPILED_BOT: folder, NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
}
