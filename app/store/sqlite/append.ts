import type { JournalName } from '../../records/index.ts';
import { refuseItems } from '../check.ts';
import type { AppendAnswer, AppendRequest, Effect, Hint } from '../store.ts';
import { applyEffects } from './effects.ts';
import { count, type Statements, text } from './statements.ts';

/** What is known before the hints are published. */
type Answer = Exclude<AppendAnswer, { type: 'ok' }> | { readonly type: 'ok'; readonly version: number };

export interface Appended {
  readonly answer: Answer;
  /** To publish after the commit. Before it, the change may still be rolled back. */
  readonly hints: readonly Hint[];
}

/** Checks in the same order as the Redis script. Runs inside a transaction that holds the write lock. */
export function append(statements: Statements, request: AppendRequest, nowMs: number): Appended {
  const { journal, expectedVersion, entries, items = [], itemsFrom, effects, notAfterMs, beside } = request;
  const answer = (answer: Answer): Appended => ({ answer, hints: [] });

  const end = endOf(statements, journal);
  const { version } = end;
  const after = expectedVersion + entries.length;
  if (version !== expectedVersion) {
    const same = idAt(statements, journal, expectedVersion) === entries[0]?.id;
    return answer(same ? { type: 'already', version: after } : { type: 'conflict', version });
  }
  if (!fits(end, request)) return answer({ type: 'conflict', version });
  if (beside !== undefined && !fits(endOf(statements, beside.journal), beside))
    return answer({ type: 'conflict', version });
  if (notAfterMs !== undefined && nowMs > notAfterMs) return answer({ type: 'late', nowMs });
  if (!effects.every((effect) => holds(statements, effect))) return answer({ type: 'late', nowMs });

  addEntries(statements, request);
  if (beside !== undefined) addEntries(statements, beside);
  if (items.length > 0) {
    const itemCount = count(statements.itemCount.get(journal));
    if (itemsFrom !== undefined && itemsFrom !== itemCount) refuseItems(request, itemCount);
    items.forEach((item, index) => {
      statements.addItem.run(journal, itemCount + index, item);
    });
  }
  const hints = applyEffects(statements, effects, nowMs);
  return { answer: { type: 'ok', version: after }, hints };
}

type Lines = Pick<AppendRequest, 'journal' | 'expectedVersion' | 'follows' | 'entries'>;

interface End {
  readonly version: number;
  readonly lastId: string | undefined;
}

function endOf({ lastEntry }: Statements, journal: JournalName): End {
  const last = lastEntry.get(journal);
  return last === undefined ? { version: 0, lastId: undefined } : { version: count(last), lastId: text(last, 'id') };
}

function fits({ version, lastId }: End, { expectedVersion, follows }: Lines): boolean {
  return version === expectedVersion && (follows === undefined || lastId === follows);
}

/** Whether what this effect takes from an inbox is there, and the run that it names is still that of the thread. */
function holds({ isInInbox, currentRun }: Statements, effect: Effect): boolean {
  if (effect.type === 'still-current') return currentRun.get(effect.thread)?.run === effect.run;
  return effect.type !== 'drop-inbox' || effect.keys.every((key) => isInInbox.get(effect.thread, key) !== undefined);
}

function addEntries({ addEntry }: Statements, { journal, expectedVersion, entries }: Lines): void {
  entries.forEach(({ id, text }, index) => {
    addEntry.run(journal, expectedVersion + index, id, text);
  });
}

/** The id of the entry at this position, if there is one. */
function idAt({ entryId }: Statements, journal: JournalName, position: number): string | undefined {
  const there = entryId.get(journal, position);
  return there === undefined ? undefined : text(there, 'id');
}
