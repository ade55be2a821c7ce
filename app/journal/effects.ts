import type { ApprovalId, ThreadKey, UserId } from '../records.ts';
import type { Effect, IndexName } from '../store/store.ts';
import type { EntryBody } from './entries.ts';
import { reminderEffects } from './reminders.ts';
import type { RunState } from './state.ts';

/**
 * What must change in the indexes together with these entries. It follows from the entries alone, so no caller can
 * forget it.
 *
 * @param state as it is after the entries.
 */
export function effectsOf(
  state: RunState,
  entries: readonly EntryBody[],
  { thread, graceMs }: { readonly thread: ThreadKey; readonly graceMs: number },
): readonly Effect[] {
  const effects = entries.flatMap((entry) => [...effectsOfOne(state, entry, thread), ...reminderEffects(state, entry)]);
  const inbox = entries.flatMap((entry) => (entry.type === 'person-said' ? [entry.key] : []));
  if (inbox.length > 0) effects.push({ type: 'drop-inbox', thread, keys: inbox });
  const hint = { type: 'hint', hint: { thread, run: state.run, version: state.version } } as const;
  // Should the one who waits be dead or asleep, somebody finds the thread here.
  if (entries.some(wakes)) return [...effects, { type: 'todo', thread, inMs: graceMs }, hint];
  // Whoever runs the call is awake, or the inquiry died with it: nobody else could go on.
  return entries.some(({ type }) => type === 'inquiry-settled') ? [...effects, hint] : effects;
}

function effectsOfOne(state: RunState, entry: EntryBody, thread: ThreadKey): Effect[] {
  switch (entry.type) {
    case 'run-started':
      return [{ type: 'current-run', thread, run: state.run }];
    case 'call-asked':
      return [
        { type: 'approval', approval: entry.approval, run: state.run },
        { type: 'due', item: { what: 'expiry', subject: entry.approval }, atMs: entry.expiresAtMs },
        ...waitingLists(state, entry.approval).map((index) => ({
          type: 'member' as const,
          index,
          member: entry.approval,
        })),
      ];
    case 'inquiry-asked':
      return [
        { type: 'approval', approval: entry.inquiry, run: state.run },
        { type: 'due', item: { what: 'expiry', subject: entry.inquiry }, atMs: entry.expiresAtMs },
      ];
    case 'inquiry-settled':
      return [{ type: 'not-due', item: { what: 'expiry', subject: entry.inquiry } }];
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
      return [
        { type: 'not-due', item: { what: 'expiry', subject: entry.approval } },
        ...waitingLists(state, entry.approval).map((index) => ({
          type: 'not-member' as const,
          index,
          member: entry.approval,
        })),
      ];
    default:
      return [];
  }
}

/** Whom a question waits for, each with a list of their own. For showing only: the right is judged at the press. */
function waitingLists(state: RunState, id: ApprovalId): readonly IndexName[] {
  const rule = state.approvals.get(id)?.rule;
  if (rule === undefined) return [];
  const { requester, thread } = state;
  const people =
    rule.approvers.length === 0
      ? [requester]
      : rule.approvers.filter((approver) => rule.selfApproval || approver !== requester);
  return [...new Set(people)].map((user) => waitingIndex(thread.team, user));
}

export function waitingIndex(team: string, user: UserId): IndexName {
  return { what: 'waiting', of: `${team}:${user}` };
}

/** Somebody may be waiting for this. */
function wakes(entry: EntryBody): boolean {
  switch (entry.type) {
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
    case 'run-stopped':
      return true;
    default:
      return false;
  }
}
