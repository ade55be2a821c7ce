import type { Ask } from '../../app/journal/decide/ask.ts';
import type { PressFacts } from '../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../app/journal/facts/entries.ts';
import { evolve } from '../../app/journal/fold/evolve.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { ApprovalId, RunId, TrustId, UserId } from '../../app/records/index.ts';

/** Builders for journals: a test names only what it is about. */
const name = (letter: string, n: number) => `00${letter}${`${n}`.padStart(22, '0')}`;
export const runId = (n = 1): RunId => RunId.parse(name('r', n));
export const approvalId = (n = 1): ApprovalId => ApprovalId.parse(name('a', n));
export const grantId = (n = 1): TrustId => TrustId.parse(name('g', n));
export const user = (id: string): UserId => UserId.parse(id);

export const THREAD = { team: 'T1', channel: 'C1', ts: '1.0' } as const;
export const HOUR_MS = 3_600_000;

export const started: EntryBody = { type: 'run-started', run: runId(), thread: THREAD, requester: user('ANN') };

/** As many items as these entries refer to, behind those that the run has. */
export function itemsFor(state: RunState | undefined, entries: readonly EntryBody[]): readonly string[] {
  const end = Math.max(0, ...entries.map((entry) => ('item' in entry ? entry.item + 1 : 0)));
  return Array.from({ length: Math.max(0, end - (state?.items ?? 0)) }, (_, at) => `"text ${at}"`);
}

/** A turn that asks for these calls, by the model's ids. */
export const turn = (number: number, ...calls: readonly string[]): EntryBody => ({
  type: 'turn-answered',
  turn: number,
  item: number - 1,
  stopReason: 'toolUse',
  says: false,
  calls: calls.map((id) => `${number}/${id}`),
  tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
});

/** The requester decides. */
export const OWN_RULE: Ask['rule'] = { approvers: [], selfApproval: true };

export const ask = (changes: Partial<Ask> = {}): Ask => ({
  approval: approvalId(),
  call: '1/a',
  tool: 'deploy',
  definition: 'v1',
  effect: 'asked',
  input: { text: '{}' },
  digest: 'd1',
  summary: 'Deploy.',
  rule: OWN_RULE,
  trust: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
  expiresAtMs: HOUR_MS,
  ...changes,
});

export const asked = (changes: Partial<Ask> = {}): EntryBody => ({ type: 'call-asked', ...ask(changes) });

export const pressed = (changes: Partial<PressFacts> = {}): PressFacts => ({
  approval: approvalId(),
  verdict: 'approve',
  by: user('ANN'),
  right: { type: 'allowed' },
  drawn: true,
  confirmed: true,
  refusedPressesKept: 3,
  ...changes,
});

/** Folds entries as if they had been written one after the other, one millisecond apart. */
export function fold(...entries: readonly EntryBody[]): RunState {
  return foldOnto(undefined, ...entries);
}

export function foldOnto(state: RunState | undefined, ...entries: readonly EntryBody[]): RunState {
  const folded = entries.reduce<RunState | undefined>(
    (before, entry) => evolve(before, { ...entry, id: `e${before?.version ?? 0}`, atMs: before?.version ?? 0 }),
    state,
  );
  if (folded === undefined) throw new Error('A journal needs at least one entry.');
  return folded;
}

/** Finds the approval once its standing is final. */
export const whenSettled =
  (id = approvalId()) =>
  ({ approvals }: RunState) => {
    const approval = approvals.get(id);
    return approval?.standing.status === 'pending' ? undefined : approval;
  };
