import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { isFree } from './ports.ts';

/** The folder in which the demo and its bot keep everything, from one start to the next. */
export interface DemoFolder {
  readonly path: string;
  /** The port of the page at the last start, so that an open page finds it again. */
  readonly lastPort: number | undefined;
  /** The kind of store that the bot's data in it have. */
  readonly store: StoreKind | undefined;
  readonly keepStore: (kind: StoreKind) => void;
  /** Says that a demo uses the folder, for the next one. */
  readonly take: (port: number) => void;
  readonly leave: () => void;
}

const StoreKind = z.enum(['sqlite', 'redis']);
type StoreKind = z.infer<typeof StoreKind>;

const Note = z.object({
  /** The demo made the folder, or found it empty. Only such a folder may be emptied. */
  isOwn: z.boolean(),
  port: z.number().optional(),
  store: StoreKind.optional(),
  /** The demo that uses the folder. */
  process: z.number().optional(),
});
type Note = z.infer<typeof Note>;

interface Opening {
  readonly isFresh: boolean;
}

/** Opens the folder, or answers with a sentence on why it cannot be used. */
export async function openFolder(path: string, opening: Opening): Promise<DemoFolder | string> {
  try {
    return await openOwn(path, opening);
    // It is a file, or may not be read or written, or the disk is full.
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The demo cannot keep its data in ${path}: ${why}. Set DEMO_DATA_DIR to a folder in which you may write.`;
  }
}

async function openOwn(path: string, { isFresh }: Opening): Promise<DemoFolder | string> {
  const file = join(path, 'demo.json');
  const isNew = !existsSync(path) || readdirSync(path).length === 0;
  const note = readNote(file);
  if (note.process !== undefined && (await isInUse(note))) {
    return `Another demo uses ${path} (process ${note.process}). Stop it, or set DEMO_DATA_DIR to another folder.`;
  }
  if (isFresh && !isNew && !note.isOwn) {
    return `${path} has files from before the demo, so --fresh does not empty it. Do that yourself, or set DEMO_DATA_DIR to another folder.`;
  }
  if (isFresh) empty(path);
  mkdirSync(path, { recursive: true });
  let kept: Note = { isOwn: note.isOwn || isNew, port: note.port, store: isFresh ? undefined : note.store };
  const write = (facts: Partial<Note>) => {
    kept = { ...kept, ...facts };
    writeFileSync(file, `${JSON.stringify(kept)}\n`);
  };
  write({});
  return {
    path,
    lastPort: note.port,
    store: kept.store,
    keepStore: (store) => write({ store }),
    take: (port) => write({ port, process: process.pid }),
    leave: () => write({ process: undefined }),
  };
}

function readNote(file: string): Note {
  const { data } = Note.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined);
  return data ?? { isOwn: false };
}

/** After a crash another program may have the number of the process, but hardly its port as well. */
async function isInUse({ process: id = 0, port = 0 }: Note): Promise<boolean> {
  return isAlive(id) && !(await isFree(port));
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
    // There is no such process, or it belongs to another account.
  } catch {
    return false;
  }
}

function empty(path: string): void {
  if (!existsSync(path)) return;
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
}
