import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path as a word of a command that `npm run` starts, and that therefore runs in the folder of the project. */
export function pathInCommand(path: string): string {
  const inside = relative(ROOT, path);
  const short = inside !== '' && !inside.startsWith('..') ? inside : path;
  return /^[\w./@%+=:,-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
}
