import type { ThreadKey } from '../records/index.ts';
import { digits, ofTeam, shardOfId, shardOfThread, shardsOfIndex } from './keys.ts';
import type { AppendRequest, Effect } from './store.ts';

/**
 * No step of a run writes this much. A larger append is a mistake of the caller, and every engine refuses it. The largest
 * step is a stop: it removes each open question from the list of each person asked, 3,603 effects at most.
 */
const MOST = { entries: 500, items: 500, effects: 4_000 } as const;

/** Refuses an append that an engine could only keep in part. Each engine calls it before it writes. */
export function checkAppend(request: AppendRequest, shards: number): void {
  const { journal, expectedVersion, entries, items = [], effects, beside } = request;
  const refuse = (why: string) => refuseAppend(journal, why);

  if (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0) refuse(`${expectedVersion} is not a version`);
  if (entries.length === 0) refuse('it has no entry');
  const counts = { entries: entries.length, items: items.length, effects: effects.length };
  for (const what of ['entries', 'items', 'effects'] as const) {
    if (counts[what] > MOST[what]) refuse(`it has ${counts[what]} ${what}, and the most is ${MOST[what]}`);
  }
  for (const { id, text } of [...entries, ...(beside?.entries ?? [])]) {
    if (!/^\S+$/.test(id)) refuse(`'${id}' cannot be the id of an entry, which is one word`);
    if (text.includes('\n')) refuse('the text of an entry is one line');
  }
  if (items.length > 0 && journal[2] !== 'r') refuse('only runs have items');
  for (const effect of effects) {
    const elsewhere = shardsOf(effect, shards).filter((shard) => shard !== shardOfId(journal));
    if (elsewhere.length > 0) {
      refuse(`its effect '${effect.type}' belongs to shard ${elsewhere[0]}, and one append reaches one shard`);
    }
  }
}

/** For a store of several processes, where no step reaches two journals. */
export function refuseBeside({ journal, beside }: AppendRequest): void {
  if (beside !== undefined)
    refuseAppend(journal, `it has an entry of ${beside.journal} as well, and only the embedded store writes both`);
}

/** Refuses items whose position is not the number of items that the run has, `there`. Entries would refer to others. */
export function refuseItems({ journal, itemsFrom }: AppendRequest, there: number): never {
  return refuseAppend(journal, `its first item is for position ${itemsFrom}, and the run has ${there} items`);
}

function refuseAppend(journal: string, why: string): never {
  throw new Error(`An append to ${journal} was refused: ${why}. Nothing was written; mend the caller.`);
}

function shardsOf(effect: Effect, shards: number): readonly string[] {
  const ofThread = (thread: ThreadKey) => digits(shardOfThread(thread, shards));
  switch (effect.type) {
    case 'due':
    case 'not-due':
      return [shardOfId(effect.item.subject)];
    case 'approval':
      return [shardOfId(effect.approval), shardOfId(effect.run)];
    case 'member':
    case 'not-member':
      return ofTeam(effect.index) ? shardsOfIndex(effect.index, shards) : [];
    case 'current-run':
    case 'still-current':
    case 'run-over':
      return [ofThread(effect.thread), ...(effect.run === undefined ? [] : [shardOfId(effect.run)])];
    case 'todo':
    case 'not-todo':
    case 'got-further':
    case 'drop-inbox':
      return [ofThread(effect.thread)];
    case 'hint':
      return [ofThread(effect.hint.thread), shardOfId(effect.hint.run)];
  }
}
