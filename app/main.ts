import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { readEnvFile } from './config/index.ts';

readEnvFile();

/*
 * Half of a start is reading sources and taking their types out, which is the same every time. What came of it is kept beside
 * the data, where nobody else may write. Where that cannot be, the start only takes longer.
 */
const cache = join(process.env.DATA_DIR || '.data', 'compile-cache');
try {
  // This may be the first to make the folder of the data, which no other account may read.
  mkdirSync(cache, { recursive: true, mode: 0o700 });
} catch {
  // The store says what is wrong with the folder.
}
enableCompileCache(cache);
const { start } = await import('./start.ts');
await start(process.env);
// A process that is killed would not get to it.
flushCompileCache();
