import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from './at-end.ts';

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
  return hasMemoryFolder() ? temporary(MEMORY) : undefined;
}

export const hasMemoryFolder = (): boolean => existsSync(MEMORY);

function temporary(parent: string): string {
  const folder = mkdtempSync(join(parent, 'countersign-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
