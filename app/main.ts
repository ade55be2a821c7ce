import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * Half of a start is reading sources and taking their types out, which is the same every time. What came of it is kept beside
 * the data, where nobody else may write. Where that cannot be, the start only takes longer.
 */
enableCompileCache(join(process.env.DATA_DIR || '.data', 'compile-cache'));
const { start } = await import('./start.ts');
await start(process.env);
// A process that is killed would not get to it.
flushCompileCache();
