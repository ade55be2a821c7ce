import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreSetupError } from '../errors.ts';
import { makePrivateFile } from './private-files.ts';
import { kindOf } from './transaction.ts';

/**
 * Keeps every other process off a folder until it is released or this process dies. The operating system holds the lock
 * for the process, on a small file of its own, so no stale lock can remain.
 */
export function lockFolder(folder: string): { readonly release: () => void } {
  const path = join(folder, 'countersign.lock');
  let file: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('BEGIN EXCLUSIVE');
    // The folder cannot be written to, or another process has the lock. The operator hears which of the two.
  } catch (cause) {
    file?.close();
    if (kindOf(cause) !== BUSY)
      throw new StoreSetupError(`Cannot lock ${path}. See that the folder can be written to.`, { cause });
    throw new StoreSetupError(
      `Another process is using ${folder}: the embedded store is for one process. Stop the other one, set DATA_DIR ` +
        'to another folder, or set REDIS_URL to run several. If no other process runs, the file system of that folder ' +
        'takes no locks: set DATA_DIR to a folder on a local disk.',
      { cause },
    );
  }
  const held = file;
  return { release: () => held.close() };
}

/** SQLite's number for a file that another process has locked. */
const BUSY = 5;
