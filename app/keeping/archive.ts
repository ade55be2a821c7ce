import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { exportLines } from './audit/export.ts';

/** Keeps the journal of a run in a file, for the time after the run is removed. */
export interface Archive {
  /**
   * Resolves when the file is on the disk. Calling it twice gives the same file, also from two processes at once. `gone` when
   * another process has removed the run; the file that it wrote stays as it is.
   */
  readonly keep: (run: RunId) => Promise<'kept' | 'gone'>;
}

export interface ArchiveDeps {
  readonly store: Pick<Store, 'journals' | 'read' | 'readItems'>;
  /** `<run>.jsonl` for each run, as `npm run audit -- export --run` writes it. */
  readonly folder: string;
  readonly inputs: boolean;
}

export function createArchive({ store, folder, inputs }: ArchiveDeps): Archive {
  return {
    keep: async (run) => {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${run}.jsonl`);
      // A file gets its name when it is complete, so that no half file passes for a whole one. Two processes may write at once.
      const part = `${path}.${randomUUID()}.part`;
      try {
        if ((await write(part, exportLines(store, { run, inputs }))) === 0) return 'gone';
        await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
      const directory = await open(folder, 'r');
      await directory.sync().finally(() => directory.close());
      return 'kept';
    },
  };
}

/** Returns the number of lines. */
async function write(path: string, lines: AsyncIterable<string>): Promise<number> {
  const file = await open(path, 'w');
  let count = 0;
  try {
    for await (const line of lines) {
      await file.write(`${line}\n`);
      count += 1;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return count;
}
