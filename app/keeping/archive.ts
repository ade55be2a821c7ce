import { createHash, randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archived } from '../journal/index.ts';
import type { RunId } from '../records/index.ts';
import { makeFolder, type Store } from '../store/index.ts';
import { archiveLines, readArchive } from './archive-file.ts';

/** Keeps the lines and items of a run in a file, for the time after the run is removed. */
export interface Archive {
  /** Makes the folder. Rejects if the bot cannot write there. */
  readonly prepare: () => Promise<void>;
  /**
   * Resolves when the file is on the disk. Calling it twice gives the same bytes, also from two processes at once. `gone` when
   * another process has removed the run; the file that it wrote stays as it is. `grown` when the journal has another version. Rejects
   * with `UnkeptError` where the disk is at fault.
   */
  readonly keep: (run: RunId, version: number) => Promise<Archived | 'gone' | 'grown'>;
}

export interface ArchiveDeps {
  readonly store: Pick<Store, 'read' | 'readItems'>;
  /** `<run>.jsonl` for each run. */
  readonly folder: string;
}

/** An archive holds every word in clear, so other accounts of the machine may not read it. */
const FILE_MODE = 0o600;

export function createArchive({ store, folder }: ArchiveDeps): Archive {
  return {
    prepare: async () => {
      makeFolder(folder);
      await access(folder, constants.W_OK);
    },
    keep: async (run, version) => {
      await onDisk(() => makeFolder(folder));
      const page = await store.read(run);
      if (page.version === 0) return 'gone';
      const items = await store.readItems(run);
      const file = `${run}.jsonl`;
      const path = join(folder, file);
      // A slow process must not put a shorter file in the place of the one that another process has just recorded.
      if (page.version !== version || (await onDisk(() => versionIn(path))) > version) return 'grown';
      const lines = page.entries.map(({ text }) => text);
      const content = archiveLines({ run, lines, items })
        .map((line) => `${line}\n`)
        .join('');
      await onDisk(() => write(path, content));
      return { file, sha256: createHash('sha256').update(content).digest('hex') };
    },
  };
}

/** The disk takes no archive. A failure of the store is none of these. */
export class UnkeptError extends Error {
  override readonly name = 'UnkeptError';
}

async function onDisk<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw new UnkeptError(`The folder of the archives takes no file: ${cause}`, { cause });
  }
}

/** How many entries the file at this place has. 0: there is no archive at it. */
async function versionIn(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  const archived = readArchive(await readFile(path, 'utf8'));
  // A file of a version that exported runs is written anew.
  return typeof archived === 'string' ? 0 : archived.lines.length;
}

/** The file gets its name when it is complete, so that no half file passes for a whole one. Two processes may write at once. */
async function write(path: string, content: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', FILE_MODE);
    await file
      .writeFile(content)
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  const directory = await open(join(path, '..'), 'r');
  await directory.sync().finally(() => directory.close());
}
