import type { ApprovalId, TrustId } from '../../records/index.ts';
import type { AskedApproval } from './asked.ts';
import type { CallState, LineState, RunState } from './state.ts';

/** Small changes of a run's state that several folds share. */

export function withCall(state: RunState, key: string, change: (call: CallState) => CallState): RunState {
  const call = state.calls.get(key) ?? { execution: { type: 'none' } };
  return { ...state, calls: new Map(state.calls).set(key, change(call)) };
}

export function withApproval(
  state: RunState,
  id: ApprovalId,
  change: (approval: AskedApproval) => AskedApproval,
): RunState {
  const approval = state.approvals.get(id);
  if (approval === undefined) throw new BrokenJournalError(`speaks of approval ${id}, which was never asked`);
  return { ...state, approvals: new Map(state.approvals).set(id, change(approval)) };
}

/** A change that both the card and the copies have to show. */
export function news({ version }: RunState): Pick<AskedApproval, 'revision' | 'news'> {
  return { revision: version, news: version };
}

/** Changes what is known of the line of a trust. */
export function withLine(state: RunState, trust: TrustId, change: Partial<LineState>): RunState {
  const before = state.lines.get(trust) ?? { news: 0, shows: 0 };
  return { ...state, lines: new Map([...state.lines, [trust, { ...before, ...change }]]) };
}

/** Approvals that will not be used any more: their cards have to say so. */
export function withUnused(state: RunState, among: (approval: AskedApproval) => boolean = () => true): RunState {
  const unused = [...state.approvals.values()].filter(
    ({ id, call, standing }) =>
      standing.status === 'decided' &&
      (standing.decision.verdict === 'approve' || standing.decision.verdict === 'trust') &&
      state.calls.get(call)?.approval === id &&
      state.calls.get(call)?.execution.type === 'none',
  );
  return unused
    .filter(among)
    .reduce<RunState>(
      (next, { id }) => withApproval(next, id, (approval) => ({ ...approval, revision: state.version })),
      state,
    );
}

/** A journal that no run of this program could have written. */
export class BrokenJournalError extends Error {
  override readonly name = 'BrokenJournalError';

  constructor(what: string) {
    super(`A journal ${what}. It was changed from outside. Run the audit to see where, and do not resume this run.`);
  }
}
