import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText } from '../../log.ts';
import { StoreSetupError } from '../errors.ts';

/** The store holds what people wrote, so other accounts of the machine may not read its folder and files. */

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** A folder with this bit, such as `/tmp`, is shared by intention. */
const STICKY = 0o1000;

/**
 * Makes the folder. Closes a folder and files that an older version left open to others. Returns a warning for each that
 * could not be closed.
 */
export function makePrivateFolder(folder: string): readonly string[] {
  const { isShared, files } = madeFolder(folder);
  return [
    ...(isShared ? [] : close(folder, FOLDER_MODE)),
    ...files.flatMap((name) => close(join(folder, name), FILE_MODE)),
  ];
}

function madeFolder(folder: string): { readonly isShared: boolean; readonly files: readonly string[] } {
  try {
    makeFolder(folder);
    const isShared = (statSync(folder).mode & STICKY) !== 0;
    return { isShared, files: readdirSync(folder).filter((name) => name.startsWith('countersign.')) };
    // A file has this name, or the account of the bot has no right to the folder. The operator hears what to do.
  } catch (cause) {
    throw new StoreSetupError(
      `The bot cannot keep its facts in the folder ${folder}: ${errorText(cause)}. Set DATA_DIR to a folder that the ` +
        'account of the bot can make and write to.',
      { cause },
    );
  }
}

/**
 * Makes the folder and those above it. With `recursive`, Node's own function never returns where the system refuses a new folder
 * as if the one above it were missing: in `/proc`, or when the working folder was removed.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
    // Another process may have made it since.
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes the empty file unless it is there. SQLite gives its `-wal` and `-shm` the mode of the file beside them. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
}

function close(path: string, mode: number): readonly string[] {
  try {
    // SQLite may have removed its file.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (found.mode & 0o777) !== mode) chmodSync(path, mode);
    return [];
    // Only the owner of a file may change its mode. That does not stop the start.
  } catch (error) {
    const why = errorText(error);
    return [
      `Other accounts of this machine may read ${path}, and closing it to them failed (${why}). ` +
        `Let its owner run: chmod ${mode.toString(8)} '${path}'`,
    ];
  }
}
