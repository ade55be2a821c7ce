import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { exportLines } from './audit/export.ts';

/** Keeps what a run's journal said in a file of its own, for when the run is gone. */
export interface Archive {
  /**
   * Resolves when the file is on the disk. Twice is the same file, also by two processes at once; `gone` when there is nothing
   * to keep any more, and the file of whoever removed the run stays as it is.
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
      // Half a file is never taken for a whole one: it gets its name when it is complete. Two processes may write at once.
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

/** How many lines there were. */
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
