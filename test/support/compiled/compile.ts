import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type InputOptions, type OutputChunk, type RolldownPlugin, rolldown } from 'rolldown';

/**
 * The bot and its packages in a few files, made once for a run of tests. Half of what a bot of a test costs is finding and
 * reading a thousand files; these start in a third of the time. Tests of the start itself start the sources.
 */
export interface CompiledBot {
  readonly folder: string;
}

export async function compileBot(): Promise<CompiledBot> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-compiled-'));
  // Also where the run is interrupted, or does not get as far as its tests.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await compile('.', folder);
  return { folder };
}

/**
 * What a copy of the sources is compiled into, once, whatever starts from it. It has the packages of `bot`, if there is one.
 * After that a change of the copy changes no bot.
 */
export function compileCopy(sources: string, bot: string | undefined): Promise<string> {
  const begun = copies.get(sources);
  if (begun !== undefined) return begun;
  const folder = join(sources, COMPILED);
  const compiled = compile(sources, folder, bot).then(() => folder);
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

async function compile(sources: string, folder: string, bot?: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (bot === undefined) await compilePackages(sources, folder);
  else symlinkSync(join(bot, PACKAGES), join(folder, PACKAGES));
  const names: Names = JSON.parse(readFileSync(join(folder, PACKAGES, NAMES), 'utf8'));
  const input = { bot: resolve(sources, 'app/main.ts'), index: resolve(sources, 'app/index.ts') };
  const chunks = await write(folder, { input, plugins: [withPackages(folder, names)] });
  // For configurations: the bot, and what tools are described in.
  const { exports = [] } = chunks.find(({ name, isEntry }) => isEntry && name === 'index') ?? {};
  writeFileSync(join(folder, 'index.mjs'), moduleOf('index.cjs', exports));
  writeFileSync(join(folder, 'zod.mjs'), moduleOf(`${PACKAGES}/zod.cjs`, names.zod ?? []));
}

type Names = Readonly<Record<string, readonly string[]>>;

/** Each package as the sources import it. `names.json` says what a module exports; of a CommonJS package it says nothing. */
async function compilePackages(sources: string, folder: string): Promise<void> {
  const files = globSync('{app,handlers,interventions}/**/*.ts', { cwd: sources });
  const found = files.flatMap((file) => [...readFileSync(join(sources, file), 'utf8').matchAll(IMPORTED)]);
  const ids = new Set(found.map(([, id = '']) => id).filter((id) => !isBuiltin(id)));
  const input = Object.fromEntries([...ids].map((id) => [nameOf(id), id]));
  const chunks = await write(join(folder, PACKAGES), { input });
  const names = chunks.filter(({ isEntry }) => isEntry).map(({ name, exports }) => [name, exports] as const);
  const ofModules = names.filter(([, exports]) => exports.some((name) => name !== 'default'));
  writeFileSync(join(folder, PACKAGES, NAMES), JSON.stringify(Object.fromEntries(ofModules)));
}

const IMPORTED = /(?:from |import\()'([^.'][^']*)'/g;
const PACKAGES = 'packages';
const NAMES = 'names.json';
const nameOf = (id: string): string => id.replaceAll('/', '_');

/** In place of a package comes what it was compiled into. */
function withPackages(folder: string, names: Names): RolldownPlugin {
  const prefix = '\0package:';
  return {
    name: 'compiled packages',
    resolveId: (id) => (existsSync(join(folder, PACKAGES, `${nameOf(id)}.cjs`)) ? `${prefix}${id}` : undefined),
    load: (id) => {
      if (!id.startsWith(prefix)) return undefined;
      const name = nameOf(id.slice(prefix.length));
      const file = `${PACKAGES}/${name}.cjs`;
      return names[name] === undefined ? `module.exports = ${loaded(file)};` : moduleOf(file, names[name]);
    },
  };
}

/** The source of a module that exports these names of a compiled file. */
function moduleOf(file: string, names: readonly string[]): string {
  const lines = names.map((name) => `const of_${name} = all.${name};\nexport { of_${name} as ${name} };`);
  return [`const all = ${loaded(file)};`, ...lines].join('\n');
}

/** `run.ts` has this function. */
const loaded = (file: string): string => `loadCompiled('${file}')`;

async function write(folder: string, options: InputOptions): Promise<readonly OutputChunk[]> {
  // A copy has no `tsconfig.json`, and Node, which starts the sources, reads none either.
  const bundle = await rolldown({ platform: 'node', logLevel: 'silent', tsconfig: false, ...options });
  const { output } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // Names stay as they are: a bot that fails says where.
    minify: { mangle: false, compress: false, codegen: true },
  });
  await bundle.close();
  mkdirSync(folder, { recursive: true });
  const chunks = output.filter((part) => part.type === 'chunk');
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), ascii(code));
  return chunks;
}

/** The same code in half of the memory: `run.ts` reads it as Latin-1. */
const ascii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const COMPILED = 'compiled';

/** How Node starts it, and where it keeps what it compiled of a configuration. */
export function startOf(folder: string): { readonly args: readonly string[]; readonly env: Record<string, string> } {
  return {
    args: ['--disable-warning=ExperimentalWarning', resolve('test/support/compiled/run.ts')],
    env: { COMPILED_BOT: folder, NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
}
