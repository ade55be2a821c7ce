import { dueWord } from '../due.ts';
import type { RunRemains } from '../store.ts';
import { count, type Statements } from './statements.ts';

/** Does what the Redis script `REMOVE` does. Runs inside a transaction that holds the write lock. */
export function removeRun(
  statements: Statements,
  { run, version, thread, approvals, due, members }: RunRemains,
): boolean {
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
