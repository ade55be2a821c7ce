import type { RunId } from '../../records/index.ts';
import { turnsByLength } from '../../time/index.ts';
import { checkAppend } from '../check.ts';
import { dueWord } from '../due.ts';
import { letterOf, readNames } from '../ids.ts';
import type { RunRemains, Store } from '../store.ts';
import { append } from './append.ts';
import type { OpenDatabase } from './database.ts';
import type { Hints } from './hints.ts';
import { count, type Statements, text } from './statements.ts';
import type { WriteTogether } from './transaction.ts';

export interface SqliteJournalsDeps extends OpenDatabase {
  readonly writeTogether: WriteTogether;
  readonly shards: number;
  readonly hints: Pick<Hints, 'publish'>;
}

/** Writes, reads, lists and removes journals, and the items of runs. */
export function journals({
  statements,
  write,
  writeTogether,
  clock,
  shards,
  hints,
}: SqliteJournalsDeps): Pick<Store, 'append' | 'read' | 'journals' | 'readItems' | 'removeRun'> {
  return {
    append: async (request) => {
      checkAppend(request, shards);
      const { answer, hints: news } = await writeTogether(() => append(statements, request, clock.now()));
      await turnsByLength()((request.items ?? []).reduce((chars, item) => chars + item.length, 0));
      const receivers = news.reduce((sum, hint) => sum + hints.publish(hint), 0);
      return answer.type === 'ok' ? { ...answer, receivers } : answer;
    },
    read: async (journal, from = 0, most = -1) => {
      // A command reads beside the bot, which may append in between: that is left out.
      const version = count(statements.version.get(journal));
      const rows = statements.entriesBetween.all(journal, from, version, most);
      const entries = rows.map((row) => ({ id: text(row, 'id'), text: text(row, 'text') }));
      return { entries, version, nowMs: clock.now() };
    },
    journals: async (kind) =>
      readNames(
        kind,
        statements.journals.all(letterOf(kind)).map((row) => text(row, 'journal')),
      ),
    readItems: (run, from = 0) => readItems(statements, run, from),
    removeRun: async (remains) => write(() => removeRun(statements, remains)),
  };
}

/** Reads them one by one, because pictures are long. */
async function readItems({ itemFrom }: Statements, run: RunId, from: number): Promise<readonly string[]> {
  const turnAfter = turnsByLength();
  const items: string[] = [];
  for (let next = from; ; ) {
    const row = itemFrom.get(run, next);
    if (row === undefined) return items;
    const item = text(row, 'text');
    items.push(item);
    next = count(row) + 1;
    await turnAfter(item.length);
  }
}

/** Does what the Redis script `REMOVE` does. Runs inside a transaction that holds the write lock. */
function removeRun(statements: Statements, { run, version, thread, approvals, due, members }: RunRemains): boolean {
  const stored = count(statements.version.get(run));
  if (stored !== 0 && stored !== version) return false;
  statements.removeEntries.run(run);
  statements.removeItems.run(run);
  statements.leaveThread.run(thread, run);
  for (const item of due) statements.removeDue.run(dueWord(item));
  for (const approval of approvals) statements.removeApproval.run(approval);
  for (const { index, member } of members) statements.removeMember.run(index.what, index.of, member);
  return true;
}
