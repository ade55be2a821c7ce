import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Log } from '../../log.ts';
import { type CancelTimer, systemTimers } from '../../time/index.ts';
import { distinct, type FolderTool, filesOf, loadToolFile } from './folder.ts';

export interface WatchToolFolderDeps {
  readonly folder: string;
  /** What was loaded at start. */
  readonly loaded: readonly FolderTool[];
  readonly log: Log;
  readonly onChange: (tools: readonly FolderTool[]) => void;
}

/** Editors write a file in several steps; one reading after the last of them is enough. */
const SETTLE_MS = 100;

/**
 * Loads files of the folder again when they change. For development only: in production a file that changes by itself
 * is an attack, or half a deployment. A file that is broken keeps its former tools, and the log says where it breaks.
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
  /** Changes with the file. */
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

/** The folder as it is now, or nothing when it is as it was. */
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
    } catch (error) {
      log.error('A file of tools is broken; its former tools stay.', { error });
      return known.get(file)?.tools ?? [];
    }
  }

  function unmistakable(files: KnownFiles): boolean {
    try {
      distinct(toolsIn(files));
      return true;
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
