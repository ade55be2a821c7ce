import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/* Loaded before a compiled bot: a configuration that imports the sources of the bot gets the compiled ones. */
const compiled = process.env.COMPILED_FOR_DEPLOYMENTS;

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    if (compiled === undefined || !found.url.endsWith('/app/index.ts')) return found;
    return { ...found, url: pathToFileURL(compiled).href, format: 'module' };
  },
});
