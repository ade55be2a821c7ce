import { given } from '../../given.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { BodyOf, EntryBody } from '../facts/entries.ts';
import type { AskedApproval } from '../fold/asked.ts';
import { approvalOf, approvedDigest, approvedPrecondition, outdatedBy } from '../fold/queries/approvals.ts';
import { askedUnder, judgedAlike } from '../fold/queries/judgement.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';
import { rulesChanged, toolChanged } from './rules-changed.ts';

export type Ask = Omit<BodyOf<'call-asked'>, 'type' | 'was'>;

export type AskResult =
  | { readonly type: 'asked'; readonly approval: ApprovalId; readonly fresh: boolean }
  /** The run was stopped meanwhile: the call is not asked about. */
  | { readonly type: 'over' }
  /** Another process has started or answered this call: an approval would have no effect. */
  | { readonly type: 'taken-over' };

/**
 * Asking twice about the same call with the same digest gives the same approval. Another digest replaces an open question,
 * because its input no longer runs. Other rules or another definition of the tool replace it too: an approval holds only
 * for those it was given under, as a trust does. A denial holds under any.
 */
export function decideAsk(state: RunState, ask: Ask, { needed = true }: AskNeed = {}): Decided<AskResult> {
  if (state.status.type !== 'running') return nothing({ type: 'over' });
  const call = state.calls.get(ask.call);
  // Another process has written a later turn meanwhile, and the request that this process has is of the one before.
  if (call === undefined) return nothing({ type: 'taken-over' });
  const before = approvalOf(state, ask.call);
  // An edited call comes back with its edited digest, and is approved already.
  const same = before !== undefined && [before.digest, approvedDigest(before)].includes(ask.digest);
  const holds =
    before === undefined ||
    !mayLetRun(before) ||
    (before.definition === ask.definition && (!needed || judgedAlike(askedUnder(before, ask.digest), ask)));
  const isCurrent = same && outdatedBy(before) === undefined;
  // A call to be repeated was approved before its first start. `decideStart` judges whether it may be repeated.
  const repeats = isCurrent && call.execution.type === 'unknown';
  const known = isCurrent && (holds || repeats);
  if (!repeats && (call.execution.type !== 'none' || call.answer !== undefined)) {
    return nothing({ type: 'taken-over' });
  }
  if (known) return nothing({ type: 'asked', approval: before.id, fresh: false });
  const was = same && outdatedBy(before) === 'world' ? approvedPrecondition(before)?.text : undefined;
  return {
    entries: [
      ...(before === undefined ? [] : replacing(before, ask, same)),
      { type: 'call-asked', ...ask, ...given({ was }) },
    ],
    result: { type: 'asked', approval: ask.approval, fresh: true },
  };
}

/** `needed`: the present rules require an approval. Where they do not, an earlier question is kept as it was asked. */
export interface AskNeed {
  readonly needed?: boolean;
}

/** True for an open question, and for an approval. */
function mayLetRun({ standing }: AskedApproval): boolean {
  if (standing.status === 'decided') return ['approve', 'trust'].includes(standing.decision.verdict);
  return standing.status === 'pending';
}

/** The entries that end an earlier question about the same call. */
function replacing(before: AskedApproval, { definition }: Ask, same: boolean): readonly EntryBody[] {
  const approval = before.id;
  if (before.standing.status === 'pending') {
    return same
      ? [before.definition === definition ? rulesChanged(approval) : toolChanged(approval, 'changed')]
      : [{ type: 'call-cancelled', approval, cause: 'The agent changed what it wants to do.' }];
  }
  return same && outdatedBy(before) === undefined ? [{ type: 'rules-changed', approval }] : [];
}
