import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The store holds what people wrote, so other accounts of the machine may not read its folder and files. */

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** A folder with this bit, such as `/tmp`, is shared by intention. */
const STICKY = 0o1000;

/** Makes the folder. Closes a folder and files that an older version left open to others. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  if ((statSync(folder).mode & STICKY) === 0) close(folder, FOLDER_MODE);
  for (const name of readdirSync(folder)) {
    if (name.startsWith('countersign.')) close(join(folder, name), FILE_MODE);
  }
}

/** Makes the empty file unless it is there. SQLite gives its `-wal` and `-shm` the mode of the file beside them. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
}

function close(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
    // Only the owner of a file may change its mode, and SQLite may have removed its file. Neither stops the start.
  } catch {}
}
