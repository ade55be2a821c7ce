import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire, isBuiltin, registerHooks } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/*
 * Runs a compiled bot with the code that V8 made of it when it ran before. Node's own cache has no code of functions that V8
 * compiles at their first call, and most functions are such.
 */
const { COMPILED_BOT: folder = '' } = process.env;

type Exports = Readonly<Record<string, unknown>>;
const loaded = new Map<string, Exports>();
/** The files of which no code is kept yet. */
const fresh = new Map<string, Script>();

function load(name: string): Exports {
  const there = loaded.get(name);
  if (there !== undefined) return there;
  const exports = {};
  loaded.set(name, exports);
  const file = join(folder, name);
  const script = scriptOf(file);
  script.runInThisContext()(exports, requireOf, file, folder);
  return exports;
}

function scriptOf(file: string): Script {
  const script = new Script(`(function(exports,require,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`, {
    filename: file,
    cachedData: existsSync(codeOf(file)) ? readFileSync(codeOf(file)) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (script.cachedDataRejected !== false) {
    // V8 drops the code of functions that were not called for a while.
    setFlagsFromString('--no-flush-bytecode');
    fresh.set(file, script);
  }
  return script;
}

const codeOf = (file: string): string => `${file}.code`;

const others = createRequire(import.meta.url);
function requireOf(id: string): unknown {
  if (id.startsWith('./')) return load(id.slice('./'.length));
  return isBuiltin(id) ? process.getBuiltinModule(id) : others(id);
}

function keep(): void {
  if (fresh.size === 0) return;
  // V8 refuses code that was made under other flags.
  setFlagsFromString('--flush-bytecode');
  for (const [file, script] of fresh) {
    const written = `${file}.${process.pid}`;
    writeFileSync(written, script.createCachedData());
    renameSync(written, codeOf(file));
  }
  setFlagsFromString('--no-flush-bytecode');
}

// The bot calls this when it has started. A bot that is not killed keeps more at its end.
const { flushCompileCache } = module;
module.flushCompileCache = () => {
  flushCompileCache();
  keep();
};
process.once('exit', keep);

/** A configuration imports the sources of the bot, or its zod, and gets the compiled ones. */
const COMPILED = 'compiled:';
const compiled = (name: string) => ({ url: `${COMPILED}${name}.cjs`, format: 'module', shortCircuit: true });

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'zod') return compiled('zod');
    const found = next(specifier, context);
    return found.url.endsWith('/app/index.ts') ? compiled('index') : found;
  },
  load: (url, context, next) => {
    if (!url.startsWith(COMPILED)) return next(url, context);
    return { source: moduleOf(url.slice(COMPILED.length)), format: 'module', shortCircuit: true };
  },
});

Object.assign(globalThis, { loadCompiled: load });
const moduleOf = (name: string): string => {
  const names = Object.keys(load(name));
  const lines = names.map((key) => `const of_${key} = all.${key};\nexport { of_${key} as ${key} };`);
  return [`const all = loadCompiled('${name}');`, ...lines].join('\n');
};

load('bot.cjs');
