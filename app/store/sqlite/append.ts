import type { JournalName } from '../../records/index.ts';
import { refuseItems } from '../check.ts';
import type { AppendAnswer, AppendRequest, Hint } from '../store.ts';
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
  const { journal, expectedVersion, follows, entries, items = [], itemsFrom, effects, notAfterMs } = request;
  const answer = (answer: Answer): Appended => ({ answer, hints: [] });

  const last = statements.lastEntry.get(journal);
  const version = last === undefined ? 0 : count(last);
  const after = expectedVersion + entries.length;
  if (version !== expectedVersion) {
    const same = idAt(statements, journal, expectedVersion) === entries[0]?.id;
    return answer(same ? { type: 'already', version: after } : { type: 'conflict', version });
  }
  if (follows !== undefined && (last === undefined || text(last, 'id') !== follows))
    return answer({ type: 'conflict', version });
  if (notAfterMs !== undefined && nowMs > notAfterMs) return answer({ type: 'late', nowMs });

  entries.forEach((entry, index) => {
    statements.addEntry.run(journal, version + index, entry.id, entry.text);
  });
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

/** The id of the entry at this position, if there is one. */
function idAt({ entryId }: Statements, journal: JournalName, position: number): string | undefined {
  const there = entryId.get(journal, position);
  return there === undefined ? undefined : text(there, 'id');
}
