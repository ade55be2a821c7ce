import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../tool.ts';
import { isTool, looksLikeTool } from '../tool-check.ts';
import { importFile, notLoaded } from './import-file.ts';

/** A tool of the folder, and the file that exports it. */
export interface FolderTool {
  readonly tool: Tool;
  readonly file: string;
}

/** The folder of tools cannot be used. The message has the file, the line if it is known, and what is wrong. */
export class ToolFolderError extends Error {
  override readonly name = 'ToolFolderError';
  readonly place: string;

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place}: ${problem}.`, options);
    this.place = place;
  }
}

/**
 * Every tool that the files of a folder export, in the order of the file names. A file that exports none counts as a helper
 * of the others. Throws `ToolFolderError`, because a tool missing in silence would be noticed only in a thread.
 */
export async function loadToolFolder(folder: string): Promise<readonly FolderTool[]> {
  const loaded = await Promise.all(filesOf(folder).map(async (file) => loadToolFile(file)));
  return distinct(loaded.flat());
}

/** The tools that one file exports, singly or in lists. */
export async function loadToolFile(file: string, version = 0): Promise<readonly FolderTool[]> {
  const imported = await importFile(file, version);
  if (!imported.ok) throw new ToolFolderError(imported.place, notLoaded(imported), { cause: imported.cause });
  const found = Object.entries(imported.exports).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.some(looksLikeTool))
      throw new ToolFolderError(file, `exports ${name}, which is not a tool yet. Write: defineTool({ … })`);
    return values.filter(isTool).map((tool) => ({ tool, file }));
  });
  if (found.length === 0 && OWN_TOOL.test(readFileSync(file, 'utf8').replace(COMMENTS, '')))
    throw new ToolFolderError(
      file,
      'defines a tool and exports none. Write export in front of the tool, or move the file to another folder',
    );
  return found;
}

const COMMENTS = /\/\*.*?\*\//gs;
/** A tool at the beginning of a line. A helper defines one in a function at most. */
const OWN_TOOL = /^(?:(?:const|let|var) .*= )?defineTool\(/m;

/** A tool that two files export counts once. Two tools of one name are refused, because an approval could mean either. */
export function distinct(found: readonly FolderTool[]): readonly FolderTool[] {
  const byName = new Map<string, FolderTool>();
  for (const each of found) {
    const other = byName.get(each.tool.name);
    if (other !== undefined && other.tool !== each.tool)
      throw new ToolFolderError(
        each.file,
        `tool "${each.tool.name}" is defined twice: ${other.file} has one of this name too. Rename one of them`,
      );
    if (other === undefined) byName.set(each.tool.name, each);
  }
  return [...byName.values()];
}

export function filesOf(folder: string): readonly string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new ToolFolderError(
      folder,
      'there is no such folder. Correct toolsFolder in the configuration, or leave it out',
    );
  return readdirSync(folder)
    .filter((name) => /^[^._].*\.(?:ts|js|mjs|mts)$/.test(name) && !/\.(?:d|test)\.m?[tj]s$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
