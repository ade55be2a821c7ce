import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { readEnvFile } from './config/index.ts';

readEnvFile(process.env);

/*
 * Half of a start is reading sources and removing their types, with the same result each time. The result is kept beside the
 * data, where no other account may write. Without it, the start only takes longer.
 */
const data = process.env.DATA_DIR?.trim() || '.data';
const cache = join(data, 'compile-cache');
// A path that only a shell could read is refused later.
if (!data.startsWith('~') && isMade(cache)) enableCompileCache(cache);
import('./start.ts')
  .then(({ start }) => start(process.env))
  // Written now, because a process that is killed later would not write it.
  .then(flushCompileCache);

function isMade(folder: string): boolean {
  try {
    // This may create the folder of the data, which no other account may read. In `/proc`, `recursive` would never return.
    if (!existsSync(folder) && isMade(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
    return existsSync(folder);
    // The folder cannot be created. The start goes on without the cache, and the store reports the folder.
  } catch {
    return false;
  }
}
