import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Log } from '../../log.ts';
import { type CancelTimer, systemTimers } from '../../time/index.ts';
import { distinct, type FolderTool, filesOf, loadToolFile } from './folder.ts';

export interface WatchToolFolderDeps {
  readonly folder: string;
  /** The tools that were loaded at start. */
  readonly loaded: readonly FolderTool[];
  readonly log: Log;
  readonly onChange: (tools: readonly FolderTool[]) => void;
}

/** Editors write a file in several steps. It is read once, after the last of them. */
const SETTLE_MS = 100;

/**
 * Loads files of the folder again when they change. For development only: in production, such a change is an attack or a
 * half-finished deployment. A broken file keeps its former tools, and the log says where it breaks.
 */
export async function watchToolFolder(deps: WatchToolFolderDeps): Promise<{ readonly close: () => void }> {
  let known = await firstLook(deps);
  let version = 0;
  let cancel: CancelTimer = () => {};
  let reading = Promise.resolve();

  const read = async (): Promise<void> => {
    version += 1;
    const next = await look(deps, known, version);
    if (next === undefined) return;
    const before = toolsIn(known);
    known = next;
    const after = toolsIn(known);
    if (after.length !== before.length || after.some((each, place) => each !== before[place])) deps.onChange(after);
  };
  const watcher = watch(deps.folder, () => {
    cancel();
    cancel = systemTimers.after(SETTLE_MS, () => {
      // The folder may be gone for a moment. The next change reads it again.
      reading = reading.then(read).catch((error: unknown) => {
        deps.log.error('The folder of tools cannot be read; its tools stay as they were.', { error });
      });
    });
  });
  watcher.on('error', (error) => deps.log.error('The folder of tools is no longer watched.', { error }));
  return {
    close: () => {
      cancel();
      watcher.close();
    },
  };
}

interface Known {
  /** Another text after each change of the file. */
  readonly mark: string;
  readonly tools: readonly FolderTool[];
}
type KnownFiles = ReadonlyMap<string, Known>;

function toolsIn(known: KnownFiles): readonly FolderTool[] {
  return [...known.values()].flatMap(({ tools }) => tools);
}

async function firstLook({ folder, loaded }: WatchToolFolderDeps): Promise<KnownFiles> {
  const files = await Promise.all(
    filesOf(folder).map(async (file): Promise<[string, Known]> => {
      return [file, { mark: await markOf(file), tools: loaded.filter((each) => each.file === file) }];
    }),
  );
  return new Map(files);
}

/** The folder as it is now, or `undefined` when it has not changed. */
async function look({ folder, log }: WatchToolFolderDeps, known: KnownFiles, version: number) {
  const next = new Map<string, Known>();
  let changed = false;
  for (const file of filesOf(folder)) {
    const before = known.get(file);
    const mark = await markOf(file);
    if (before?.mark === mark) {
      next.set(file, before);
      continue;
    }
    changed = true;
    next.set(file, { mark, tools: await loadOrKeep(file) });
  }
  changed ||= [...known.keys()].some((file) => !next.has(file));
  return changed && unmistakable(next) ? next : undefined;

  async function loadOrKeep(file: string): Promise<readonly FolderTool[]> {
    try {
      const tools = await loadToolFile(file, version);
      log.info('Loaded a file of tools again.', { file, tools: tools.map(({ tool }) => tool.name) });
      return tools;
      // The developer is still writing the file. The former tools stay until it loads.
    } catch (error) {
      log.error('A file of tools is broken; its former tools stay.', { error });
      return known.get(file)?.tools ?? [];
    }
  }

  function unmistakable(files: KnownFiles): boolean {
    try {
      distinct(toolsIn(files));
      return true;
      // The developer may be about to rename one of the two. The former tools stay until then.
    } catch (error) {
      log.error('Two files have a tool of one name; the former tools stay.', { error });
      return false;
    }
  }
}

async function markOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs}/${size}/${ino}`;
}
