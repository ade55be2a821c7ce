import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/* Loaded before a compiled bot: a configuration that imports the sources of the bot, or its zod, gets the compiled ones. */
const { COMPILED_FOR_DEPLOYMENTS: bot, COMPILED_ZOD: zod } = process.env;

registerHooks({
  resolve: (specifier, context, next) => {
    if (zod !== undefined && specifier === 'zod') return compiled(zod);
    const found = next(specifier, context);
    return bot !== undefined && found.url.endsWith('/app/index.ts') ? { ...found, ...compiled(bot) } : found;
  },
});

const compiled = (file: string) => ({ url: pathToFileURL(file).href, format: 'module', shortCircuit: true });
