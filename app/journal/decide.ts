import type {
  ApprovalId,
  CardReceipt,
  DecisionRule,
  GrantId,
  Thread,
  TrustOffer,
  UserId,
  Verdict,
} from '../records.ts';
import type { EntryBody, StartGrant, TextRef } from './entries.ts';
import { withdrawals } from './inquiries.ts';
import {
  type AskedApproval,
  approvalOf,
  approvedDigest,
  pendingApprovals,
  type RunState,
  type StoredDecision,
} from './state.ts';

/**
 * The deciding functions: state and wish in, new entries or a refusal out. Pure, and the only place where a transition
 * is written. Whoever calls them appends what they return at the version they were asked with, or asks again.
 */
export type Decided<Result> = {
  readonly entries: readonly EntryBody[];
  readonly result: Result;
  readonly notAfterMs?: number;
};

const nothing = <Result>(result: Result): Decided<Result> => ({ entries: [], result });

export interface Ask {
  readonly approval: ApprovalId;
  readonly call: string;
  readonly tool: string;
  readonly definition: string;
  readonly effect: 'asked' | 'guarded';
  readonly input: TextRef;
  readonly digest: string;
  readonly summary: string;
  readonly reason?: string;
  readonly rule: DecisionRule;
  readonly trust?: TrustOffer;
  readonly expiresAtMs: number;
}

export type AskResult =
  | { readonly type: 'asked'; readonly approval: ApprovalId; readonly fresh: boolean }
  /** The run was stopped meanwhile: nobody is asked. */
  | { readonly type: 'over' }
  /** Another process has started or answered this call: a yes could not do anything any more. */
  | { readonly type: 'taken-over' };

/**
 * Asking twice about the same call and the same digest is the same approval. Another digest replaces a question that
 * is still open: nobody may say yes to what no longer runs.
 */
export function decideAsk(state: RunState, ask: Ask): Decided<AskResult> {
  if (state.status.type !== 'running') return nothing({ type: 'over' });
  const call = state.calls.get(ask.call);
  if (call !== undefined && (call.execution.type !== 'none' || call.answer !== undefined)) {
    return nothing({ type: 'taken-over' });
  }
  const before = approvalOf(state, ask.call);
  // An edited call is asked about once more as it was edited, and its approval is there already.
  const known = before !== undefined && [before.digest, approvedDigest(before)].includes(ask.digest);
  if (known) {
    return nothing({ type: 'asked', approval: before.id, fresh: false });
  }
  const replaced: EntryBody[] =
    before?.standing.status === 'pending'
      ? [{ type: 'call-cancelled', approval: before.id, cause: 'The agent changed what it wants to do.' }]
      : [];
  return {
    entries: [...replaced, { type: 'call-asked', ...ask }],
    result: { type: 'asked', approval: ask.approval, fresh: true },
  };
}

export interface PressFacts {
  readonly approval: ApprovalId;
  readonly verdict: Verdict;
  readonly by: UserId;
  readonly reason?: string;
  /** Where the pressed card stands; absent when pressed in a full view. */
  readonly card?: CardReceipt;
  /** The id the grant will have, if the verdict is trust. */
  readonly grant?: GrantId;
  /** Other terms than the card's; for a trust only. */
  readonly trust?: TrustOffer;
  /** What is to run in place of what was asked; for an approval only. */
  readonly edit?: NonNullable<StoredDecision['edit']>;
  /** Worked out just now by `mayDecide` and the card's own rules. */
  readonly right: { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };
  /** Was this verdict drawn where it was pressed? */
  readonly drawn: boolean;
  readonly refusedPressesKept: number;
}

export type PressResult = 'decided' | 'settled' | 'not-yours' | 'not-offered' | 'unknown';

export function decidePress(state: RunState, press: PressFacts): Decided<PressResult> {
  const approval = state.approvals.get(press.approval);
  if (approval === undefined) return nothing('unknown');
  if (approval.standing.status !== 'pending') return refused(approval, press, 'settled', 'settled before');
  if (press.right.type === 'refused') return refused(approval, press, 'not-yours', press.right.why);
  const offered =
    offers(approval, press.verdict) &&
    (press.edit === undefined || press.verdict === 'approve') &&
    (press.trust === undefined || press.verdict === 'trust');
  if (!press.drawn || !standsWhere(approval, state.thread, press.card) || !offered) {
    return refused(approval, press, 'not-offered', 'the card does not offer this');
  }
  return {
    entries: [
      {
        type: 'call-decided',
        approval: approval.id,
        verdict: press.verdict,
        by: press.by,
        ...(press.reason === undefined ? {} : { reason: press.reason }),
        ...(press.grant === undefined ? {} : { grant: press.grant }),
        ...(press.trust === undefined ? {} : { trust: press.trust }),
        ...(press.edit === undefined ? {} : { edit: press.edit }),
      },
    ],
    result: 'decided',
    notAfterMs: approval.expiresAtMs,
  };
}

/** Trust never reaches a guarded tool, whatever a button says. */
function offers(approval: AskedApproval, verdict: Verdict): boolean {
  return verdict !== 'trust' || (approval.effect === 'asked' && approval.trust !== undefined);
}

/** A copy of the card elsewhere decides nothing. Before the receipt is stored, the thread's channel has to do. */
function standsWhere(approval: AskedApproval, thread: Thread, card: CardReceipt | undefined): boolean {
  if (card === undefined) return true;
  if (approval.card === undefined) return card.channel === thread.channel;
  return card.channel === approval.card.channel && card.ts === approval.card.ts;
}

/** A refused press changes nothing; it is only remembered, and only so many times. */
function refused(
  approval: AskedApproval,
  { by, verdict, refusedPressesKept }: PressFacts,
  result: PressResult,
  why: string,
): Decided<PressResult> {
  if (approval.refusedPresses >= refusedPressesKept) return nothing(result);
  return { entries: [{ type: 'press-refused', approval: approval.id, by, verdict, why }], result };
}

export function decideExpiry(
  state: RunState,
  id: ApprovalId,
  nowMs: number,
): Decided<'expired' | 'not-yet' | 'settled'> {
  const approval = state.approvals.get(id);
  if (approval?.standing.status !== 'pending') return nothing('settled');
  if (nowMs < approval.expiresAtMs) return nothing('not-yet');
  return { entries: [{ type: 'call-expired', approval: id }], result: 'expired' };
}

export function decideCancel(state: RunState, id: ApprovalId, cause: string): Decided<'cancelled' | 'settled'> {
  if (state.approvals.get(id)?.standing.status !== 'pending') return nothing('settled');
  return { entries: [{ type: 'call-cancelled', approval: id, cause }], result: 'cancelled' };
}

/** Its card offers to end the trust, and must not once it has ended. The end itself stands in the grant's journal. */
export function decideTrustEnded(state: RunState, id: ApprovalId, by: UserId): Decided<'ended' | 'known'> {
  const approval = state.approvals.get(id);
  const given = approval?.standing.status === 'decided' && approval.standing.decision.verdict === 'trust';
  if (!given || approval.trustEnded !== undefined) return nothing('known');
  return { entries: [{ type: 'trust-ended', approval: id, by }], result: 'ended' };
}

/** Asking again decides nothing: it is a new request, and whatever the agent makes of it is asked about as ever. */
export function decideAskedAgain(
  state: RunState,
  id: ApprovalId,
  by: UserId,
): Decided<'asked' | 'asked-before' | 'not-expired' | 'not-yours'> {
  const approval = state.approvals.get(id);
  if (approval?.standing.status !== 'expired') return nothing('not-expired');
  if (by !== state.requester) return nothing('not-yours');
  if (approval.askedAgain !== undefined) return nothing('asked-before');
  return { entries: [{ type: 'asked-again', approval: id, by }], result: 'asked' };
}

/** Stopping is always safe. What was asked is cancelled; what was started is left to its end. */
export function decideStop(
  state: RunState,
  { cause, by }: { readonly cause: string; readonly by?: UserId },
): Decided<'stopped' | 'over'> {
  if (state.status.type !== 'running') return nothing('over');
  const who = by === undefined ? {} : { by };
  return {
    entries: [
      ...pendingApprovals(state).map(
        ({ id }) => ({ type: 'call-cancelled', approval: id, cause, ...who }) satisfies EntryBody,
      ),
      ...withdrawals(state, () => true),
      { type: 'run-stopped', cause, ...who },
    ],
    result: 'stopped',
  };
}

export interface Start {
  readonly call: string;
  readonly attempt: string;
  readonly tool: string;
  readonly effect: 'open' | 'asked' | 'guarded';
  readonly definition: string;
  readonly digest: string;
  readonly grant: StartGrant;
}

export type StartResult = { readonly type: 'start' } | { readonly type: 'refused'; readonly why: string };

/**
 * The last gate, in the same append that lets the tool begin: this grant, for this call, with these bytes, once.
 * Everything before it is for people's comfort; this is what keeps the promise.
 */
export function decideStart(state: RunState, start: Start): Decided<StartResult> {
  const why = whyNot(state, start);
  if (why !== undefined) return nothing({ type: 'refused', why });
  const { call, attempt, tool, digest, grant } = start;
  return { entries: [{ type: 'call-started', call, attempt, tool, digest, grant }], result: { type: 'start' } };
}

function whyNot(state: RunState, { call: key, tool, effect, definition, digest, grant }: Start): string | undefined {
  if (state.status.type !== 'running') return 'the run is over';
  const call = state.calls.get(key);
  if (call === undefined) return 'the model never asked for this call';
  if (call.execution.type !== 'none') return 'it was started before';
  if (call.answer !== undefined) return 'the model was already told how it came out';
  const approval = approvalOf(state, key);
  switch (grant.type) {
    case 'open':
      return effect === 'open' ? undefined : 'the tool is not free to run';
    case 'trust':
      if (effect !== 'asked') return 'trust does not reach this tool';
      return approval?.standing.status === 'decided' && approval.standing.decision.verdict === 'deny'
        ? 'a person refused it'
        : undefined;
    case 'approval':
      if (approval === undefined || approval.id !== grant.approval) return 'nobody was asked about it';
      if (approval.standing.status !== 'decided') return 'nobody has said yes';
      if (approval.standing.decision.verdict === 'deny') return 'a person refused it';
      if (approvedDigest(approval) !== digest || approval.tool !== tool) return 'it is not what was shown';
      return approval.definition === definition ? undefined : 'the tool has changed since it was shown';
  }
}

/** The end of a started call, also when it comes so late that others already called it unknown. */
export function decideFinish(
  state: RunState,
  end: { readonly call: string; readonly attempt: string; readonly ok: boolean; readonly ms: number },
): Decided<'finished' | 'not-mine'> {
  const execution = state.calls.get(end.call)?.execution;
  const mine = (execution?.type === 'started' || execution?.type === 'unknown') && execution.attempt === end.attempt;
  if (!mine) return nothing('not-mine');
  return {
    entries: [
      ...withdrawals(state, ({ call }) => call === end.call),
      { type: 'call-finished', ...end, item: state.items },
    ],
    result: 'finished',
  };
}

/** After a crash: what somebody else started and nobody finished may have run. It is said, and not run again. */
export function decideUnknown(state: RunState, isMine: (attempt: string) => boolean): Decided<readonly string[]> {
  const lost = [...state.calls].flatMap(([call, { execution }]) =>
    execution.type === 'started' && !isMine(execution.attempt) ? [{ call, attempt: execution.attempt }] : [],
  );
  const stillMine = ({ call }: { readonly call: string }) => {
    const execution = state.calls.get(call)?.execution;
    return execution?.type === 'started' && isMine(execution.attempt);
  };
  return {
    entries: [
      ...withdrawals(state, (inquiry) => !stillMine(inquiry)),
      ...lost.map(({ call, attempt }) => ({ type: 'call-unknown', call, attempt }) satisfies EntryBody),
    ],
    result: lost.map(({ call }) => call),
  };
}
