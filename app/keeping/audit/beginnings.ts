import { type Entry, itemHashesIn, type RunState } from '../../journal/index.ts';
import { endOf } from '../../recorder/index.ts';
import type { RunId } from '../../records/index.ts';
import type { JournalPage } from '../../store/index.ts';
import type { Walk } from './walk.ts';

/** Suspects a run that began and is gone. The seal of a run that is over says more about it. */
export function missRun({ begun, retired, seals, suspicions }: Walk, name: RunId): void {
  if (!begun.has(name) || seals.has(name)) return;
  suspicions.push({
    says: `${name}: was removed. The journal of its workspace has its beginning.`,
    isExplained: () => retired.has(name),
  });
}

/**
 * Suspects a run with answers of the model, or calls, whose beginning is not on record: the process writes that before the
 * first request to the model. A run of an older version is only counted.
 */
export function missBeginning(
  walk: Walk,
  name: RunId,
  { page, said }: { readonly page: JournalPage; readonly said: readonly Entry[] },
): void {
  const first = said.find(({ type }) => type === 'turn-answered' || type === 'call-asked' || type === 'call-started');
  if (first === undefined || walk.begun.has(name)) return;
  if (first.type === 'turn-answered' && !isHashed(page, first.item)) {
    walk.unrecorded += 1;
    return;
  }
  const what = first.type === 'turn-answered' ? 'the model answered' : 'a call was asked for';
  walk.suspicions.push({
    says: `${name}: ${what} in it, and the journal of its workspace does not have its beginning.`,
    isExplained: () => walk.begun.has(name),
  });
}

/** Verifies a run. A bot at work may remove it meanwhile, so what was found in a run that is gone by now is only suspected. */
export async function suspectIfGone(
  { store, findings, suspicions, retired }: Walk,
  name: RunId,
  verifyRun: () => Promise<void>,
): Promise<void> {
  const before = findings.length;
  await verifyRun();
  if (findings.length === before || (await endOf(store, name)).version > 0) return;
  const found = findings.splice(before);
  suspicions.push(...found.map((says) => ({ says, isExplained: () => retired.has(name) })));
}

/** Suspects a run whose mark says that its seal is written, where no seal is. Without the mark, the seal may still follow. */
export function missSeal({ seals, suspicions, notes }: Walk, name: RunId, { status, sealed }: RunState): void {
  if (status.type === 'running' || seals.has(name)) return;
  if (sealed === false) notes.push(`${name}: is over, and the journal of its workspace does not know it yet.`);
  else
    suspicions.push({
      says: `${name}: the journal of its workspace had its end, and does not have it any more. What it had last was cut off.`,
      isExplained: () => seals.has(name),
    });
}

/** What was suspected, and is a fault. An entry that cannot be read may explain it. */
export function unexplained({ suspicions, knowsAllRuns }: Walk): readonly string[] {
  return knowsAllRuns ? suspicions.filter(({ isExplained }) => !isExplained()).map(({ says }) => says) : [];
}

/** Whether a line has the hash of this item, as this version writes it. */
function isHashed({ entries }: JournalPage, item: number): boolean {
  return entries.some(({ text }) => {
    const { from, hashes } = itemHashesIn(text) ?? { from: 0, hashes: [] };
    return item >= from && item < from + hashes.length;
  });
}
