import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exportLines } from '../audit/export.ts';
import type { RunId } from '../records.ts';
import type { Store } from '../store/store.ts';

/** Keeps what a run's journal said in a file of its own, for when the run is gone. */
export interface Archive {
  /** Resolves when the file is on the disk. Twice is the same file. */
  readonly keep: (run: RunId) => Promise<void>;
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
      // Half a file is never taken for a whole one: it gets its name when it is complete.
      const file = await open(`${path}.part`, 'w');
      try {
        for await (const line of exportLines(store, { run, inputs })) await file.write(`${line}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
      const directory = await open(folder, 'r');
      await directory.sync().finally(() => directory.close());
    },
  };
}
