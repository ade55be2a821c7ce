import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashLine, type Retired } from '../../../journal/index.ts';
import { endOf } from '../../../recorder/index.ts';
import type { RunId, WorkspaceId } from '../../../records/index.ts';
import { type ArchivedRun, readArchive, readableOf } from '../../archive-file.ts';
import { readable, type Walk } from '../walk.ts';
import { type Removal, removalsIn } from './removals.ts';

export interface RetiredDeps {
  readonly workspaces: readonly WorkspaceId[];
  /** Where the archives are. Absent: where the configuration on record says. */
  readonly folder: string | undefined;
  readonly verifyRun: (walk: Walk, run: RunId) => Promise<void>;
}

/** Checks each removal by retention: that it was due, and that the archive of the run is whole. */
export async function verifyRetired(walk: Walk, { workspaces, folder, verifyRun }: RetiredDeps): Promise<void> {
  const { store, retired, findings } = walk;
  const gone = new Set<RunId>();
  // A removal is recorded before the run goes. So what is gone by now is on record in what is read after this.
  for (const run of retired) if ((await endOf(store, run)).version === 0) gone.add(run);
  const missing = new Set<string>();
  for (const workspace of workspaces) {
    // What of it cannot be read was reported before.
    const page = await readable({ ...walk, findings: [] }, workspace);
    for (const removal of removalsIn((page?.entries ?? []).map(({ text }) => text))) {
      const { run } = removal.last;
      if (removal.fault !== undefined) findings.push(`${run}: ${removal.fault}.`);
      if (gone.has(run)) await verifyArchive(walk, removal, { folder, missing, verifyRun });
    }
  }
  for (const folder of missing)
    findings.push(
      `There is no folder ${folder}, so no archive in it was checked. Run the command where the bot runs, or name the folder with --archive.`,
    );
}

interface ArchiveDeps extends Pick<RetiredDeps, 'folder' | 'verifyRun'> {
  /** Folders that do not exist are reported once. */
  readonly missing: Set<string>;
}

async function verifyArchive(
  walk: Walk,
  { last, folders }: Removal,
  { folder, missing, verifyRun }: ArchiveDeps,
): Promise<void> {
  const { run, archive } = last;
  if (archive === undefined) return;
  const places = folder === undefined ? folders : [folder];
  if (places.length === 0) {
    walk.notes.push(`${run}: no configuration on record says where its archive is. Name the folder with --archive.`);
    return;
  }
  const there = places.filter((place) => existsSync(place));
  if (there.length === 0) return void missing.add(places[0] ?? '');
  const path = there.map((place) => join(place, archive.file)).find((place) => existsSync(place));
  if (path === undefined) {
    walk.findings.push(
      `${run}: was removed by retention, and its archive ${archive.file} is not in ${there.join(', ')}.`,
    );
    return;
  }
  const content = await readFile(path);
  if (createHash('sha256').update(content).digest('hex') !== archive.sha256) {
    walk.findings.push(`${run}: its archive ${path} was changed. It is not the file that retention wrote.`);
    return;
  }
  const archived = readArchive(content.toString());
  if (typeof archived === 'string') return void walk.findings.push(`${run}: its archive ${path}: ${archived}.`);
  if (!isOf(archived, last))
    walk.findings.push(`${run}: its archive ${path} does not hold the run as it was when it was removed.`);
  else await verifyRun({ ...walk, store: { ...walk.store, ...readableOf(archived) } }, run);
}

function isOf({ run, lines }: ArchivedRun, last: Retired): boolean {
  return run === last.run && lines.length === last.version && hashLine(lines.at(-1) ?? '') === last.head;
}
