import type { EntryBody } from '../facts/entries.ts';
import { isEntryThat, isOfQuestion } from '../facts/questions.ts';
import type { RunState } from '../fold/state.ts';

/** Which entries other processes are told of at once. */

/** Whether a process may be waiting for this entry. */
export function wakes(state: RunState, entry: EntryBody): boolean {
  switch (entry.type) {
    // A late painting covers a newer one. If the process that paints again dies, another finds the thread.
    case 'card-painted':
      return entry.revision < (state.approvals.get(entry.approval)?.revision ?? 0);
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
    case 'doubt-settled':
    case 'run-stopped':
    // If the process that posts the card again dies, another finds the thread.
    case 'card-lost':
      return true;
    default:
      return false;
  }
}

/**
 * Only the process that has the call in hand can use this, so a hint is enough: the answer to a question of the call, which
 * dies with that process, or that the card shows the answer to a question.
 */
export function concernsWhoWaits({ approvals, calls }: RunState, entry: EntryBody): boolean {
  if (isOfQuestion(entry)) return isEntryThat(entry, 'settled') || isEntryThat(entry, 'painted');
  if (entry.type !== 'card-painted') return false;
  const { call, standing } = approvals.get(entry.approval) ?? {};
  const isAnswered = standing !== undefined && standing.status !== 'pending';
  return isAnswered && call !== undefined && calls.get(call)?.execution.type === 'none';
}
