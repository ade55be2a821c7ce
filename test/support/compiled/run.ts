import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire, isBuiltin, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/*
 * Runs a compiled bot with the code that V8 made of it when it ran before. Node's own cache has no code of functions that V8
 * compiles at their first call, and most functions are such.
 */
const { COMPILED_BOT: folder = '' } = process.env;

type Exports = Readonly<Record<string, unknown>>;
const loaded = new Map<string, { readonly exports: Exports }>();
/** The files of which no code is kept yet. */
const fresh = new Map<string, Script>();

function load(name: string): Exports {
  const there = loaded.get(name);
  if (there !== undefined) return there.exports;
  const made: { exports: Exports } = { exports: {} };
  loaded.set(name, made);
  const file = join(folder, name);
  const requireOf = (id: string): unknown => {
    if (id.startsWith('./')) return load(join(dirname(name), id));
    return isBuiltin(id) ? process.getBuiltinModule(id) : others(id);
  };
  scriptOf(file).runInThisContext()(made.exports, requireOf, made, file, dirname(file));
  return made.exports;
}

const others = createRequire(import.meta.url);

function scriptOf(file: string): Script {
  const script = new Script(
    `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`,
    {
      filename: file,
      cachedData: existsSync(codeOf(file)) ? readFileSync(codeOf(file)) : undefined,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  if (script.cachedDataRejected !== false) fresh.set(file, script);
  return script;
}

const codeOf = (file: string): string => `${file}.code`;

function keep(): void {
  // The bot that is started first has another setting, and V8 refuses code that was made under other settings.
  setFlagsFromString('--flush-bytecode');
  for (const [file, script] of fresh) {
    const written = `${file}.${process.pid}`;
    writeFileSync(written, script.createCachedData());
    renameSync(written, codeOf(file));
  }
}

// The bot calls this when it has started. A bot that is not killed keeps more at its end.
const { flushCompileCache } = module;
module.flushCompileCache = () => {
  flushCompileCache();
  keep();
};
process.once('exit', keep);

Object.assign(globalThis, { loadCompiled: load });

/** A configuration imports the sources of the bot, or its zod, and gets the compiled ones. */
const compiled = (name: string) => ({
  url: pathToFileURL(join(folder, name)).href,
  format: 'module',
  shortCircuit: true,
});

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'zod') return compiled('zod.mjs');
    const found = next(specifier, context);
    return found.url.endsWith('/app/index.ts') ? compiled('index.mjs') : found;
  },
});

load('bot.cjs');
