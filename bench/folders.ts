import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MEMORY = '/dev/shm';

/** A new folder on the disk that the project is on: the folder for temporary files may be in memory. It goes at exit. */
export function diskFolder(): string {
  const folder = join(ROOT, 'node_modules', '.cache');
  mkdirSync(folder, { recursive: true });
  return temporary(folder);
}

/** A new folder in memory, which goes at exit. `undefined` where the system has none. */
export function memoryFolder(): string | undefined {
  return existsSync(MEMORY) ? temporary(MEMORY) : undefined;
}

function temporary(parent: string): string {
  const folder = mkdtempSync(join(parent, 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
