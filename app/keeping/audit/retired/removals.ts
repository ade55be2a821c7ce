import { z } from 'zod';
import { type Configured, type Retired, WorkspaceBody } from '../../../journal/index.ts';
import { readJson } from '../../../json.ts';
import type { RunId } from '../../../records/index.ts';
import { readUnlessDamaged } from '../page.ts';

/** The removal of one run by retention, as the journal of its workspace records it. */
export interface Removal {
  /** A process that dies after the record writes it once more. The one with the most entries is that of the removal. */
  readonly last: Retired;
  /** Where its archive is, by the configuration on record. */
  readonly folders: readonly string[];
  /** Why retention cannot have done this. */
  readonly fault: string | undefined;
}

/** How far the times of two entries may be apart from those that the bot went by. */
const SLACK_MS = 60_000;
/** Replicas with an older configuration may be at work for so long after a newer one is on record. */
const ROLLING_MS = 24 * 60 * 60 * 1000;

const Setting = z.object({ afterMs: z.number(), folder: z.string() });

/** `unknown`: a version wrote it that did not record retention. `none`: nothing was to be removed. */
type Kept = z.infer<typeof Setting> | 'unknown' | 'none';

interface Sealed {
  readonly atMs: number;
  readonly inForce: readonly Kept[];
}

/** The removals that these lines record. Lines that cannot be read are left to the walk, which reports them. */
export function removalsIn(texts: readonly string[]): readonly Removal[] {
  const configured: { readonly atMs: number; readonly kept: Kept }[] = [];
  const sealed = new Map<RunId, Sealed>();
  const removals = new Map<RunId, Removal>();
  const entries = texts.map((text) => readUnlessDamaged(WorkspaceBody, text));
  // A line that is unknown may be a configuration, so nothing is said about times.
  const knowsAll = !entries.includes(undefined);
  let archivesSinceMs = Number.POSITIVE_INFINITY;
  const inForce = (atMs: number): readonly Kept[] => {
    const newest = configured.findLastIndex((one) => one.atMs <= atMs - ROLLING_MS);
    return configured.slice(Math.max(newest, 0)).map(({ kept }) => kept);
  };

  for (const entry of entries) {
    if (entry?.type === 'configured') {
      const kept = keptBy(entry);
      configured.push({ atMs: entry.atMs, kept });
      if (kept !== 'unknown') archivesSinceMs = Math.min(archivesSinceMs, entry.atMs);
    }
    if (entry?.type === 'run-sealed' && !sealed.has(entry.run))
      sealed.set(entry.run, { atMs: entry.atMs, inForce: inForce(entry.atMs) });
    if (entry?.type !== 'run-retired') continue;
    const before = removals.get(entry.run);
    const { atMs, archive } = entry;
    const lacksArchive = archive === undefined && atMs > archivesSinceMs + ROLLING_MS;
    const fault = lacksArchive ? 'is recorded as removed by retention, and without an archive' : undefined;
    removals.set(entry.run, {
      last: before === undefined || entry.version >= before.last.version ? entry : before.last,
      folders: foldersOf([...(sealed.get(entry.run)?.inForce ?? []), ...inForce(atMs)]),
      fault: before?.fault ?? fault ?? (knowsAll ? faultOf(atMs, sealed.get(entry.run)) : undefined),
    });
  }
  return [...removals.values()];
}

function faultOf(atMs: number, sealed: Sealed | undefined): string | undefined {
  if (sealed === undefined) return 'is recorded as removed by retention, and had not ended';
  const { inForce } = sealed;
  if (inForce.length === 0 || inForce.includes('unknown')) return undefined;
  const shortestMs = Math.min(
    ...inForce.map((kept) => (typeof kept === 'object' ? kept.afterMs : Number.POSITIVE_INFINITY)),
  );
  if (shortestMs === Number.POSITIVE_INFINITY)
    return 'is recorded as removed by retention, and the configuration on record had none when the run ended';
  if (atMs >= sealed.atMs + shortestMs - SLACK_MS) return undefined;
  return `is recorded as removed ${hours(atMs - sealed.atMs)} after it ended, and the configuration on record keeps a run for ${hours(shortestMs)}`;
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toFixed(1)} hours`;
}

function keptBy({ settings }: Configured): Kept {
  if (settings.retention === undefined) return 'unknown';
  const kept = Setting.safeParse(readJson(settings.retention));
  return kept.success ? kept.data : 'none';
}

function foldersOf(inForce: readonly Kept[]): readonly string[] {
  const folders = inForce.flatMap((kept) => (typeof kept === 'object' ? [kept.folder] : []));
  return [...new Set(folders.toReversed())];
}
