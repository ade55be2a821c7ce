import type { Entry } from '../../app/journal/facts/entries.ts';
import type { History, StoredRun } from './history.ts';
import { isA } from './read-history.ts';

/** A run that stood still although it waited for no person. */
export interface Wait {
  readonly run: string;
  /** The last thing that was written before. */
  readonly after: string;
  readonly ms: number;
}

/** The longest of all, by what the messages and the journals themselves say of when. */
export function longestWait({ runs }: History): Wait {
  return runs
    .flatMap(waitsOf)
    .reduce((longest, wait) => (wait.ms > longest.ms ? wait : longest), { run: '', after: '', ms: 0 });
}

function waitsOf({ run, entries }: StoredRun): readonly Wait[] {
  return entries.flatMap((entry, at): readonly Wait[] => {
    const next = entries[at + 1];
    const taken = isA(entry, 'person-said') ? [{ run, after: 'said', ms: entry.atMs - saidAtMs(entry.key) }] : [];
    if (next === undefined || waitsForPeople(entries.slice(0, at + 1))) return taken;
    return [...taken, { run, after: entry.type, ms: next.atMs - entry.atMs }];
  });
}

/** The name of a message ends with Slack's time of it. */
const saidAtMs = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1)) * 1_000;

/** A card stands in the thread, and no person has pressed a button on it. */
function waitsForPeople(entries: readonly Entry[]): boolean {
  const shown = entries.flatMap((entry) =>
    isA(entry, 'card-posted') ? [entry.approval] : isA(entry, 'doubt-posted') ? [entry.doubt] : [],
  );
  const over = entries.flatMap((entry) =>
    isA(entry, 'call-decided') || isA(entry, 'call-expired') || isA(entry, 'call-cancelled')
      ? [entry.approval]
      : isA(entry, 'doubt-settled')
        ? [entry.doubt]
        : [],
  );
  return shown.some((id) => !over.includes(id));
}
